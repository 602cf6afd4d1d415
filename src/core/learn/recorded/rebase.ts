import { define, isRecord } from '../../json/json.ts'

/**
 * Replaces the origin of every absolute URL in a recorded answer, also inside longer texts such as `Link`
 * headers, so that clients that follow a link stay with the mock.
 */
export function rebase<Value>(value: Value, from: string, to: string): Value {
  if (from === to) return value
  return move(value, from, to) as Value
}

function move(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return moveText(value, from, to)
  if (Array.isArray(value)) return value.map((inner) => move(inner, from, to))
  if (!isRecord(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) define(copy, key, move(inner, from, to))
  return copy
}

function moveText(text: string, from: string, to: string): string {
  if (!text.includes(from)) return text
  const parts = text.split(from)
  // `https://api.example.com.other` is another host.
  return parts.reduce((moved, part) => moved + (/^(?:[/?#>"]|$)/.test(part) ? to : from) + part)
}

/** Whether a value contains an absolute URL of an origin. */
export function mentions(value: unknown, origin: string): boolean {
  return origin !== '' && JSON.stringify(value).includes(origin)
}

import { isRecord } from '../../json/json.ts'

/** Returns a string literal of TypeScript. */
export function toStringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${escaped.replaceAll("'", "\\'").replaceAll(lineEnds, toEscape)}'`
}

/** The characters that end a line in TypeScript 5.0, also inside of a string. */
const lineEnds = /[\u2028\u2029]/g

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`
}

/** Returns the name of a property in TypeScript, in quotes unless the name is an identifier. */
export function toKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toStringLiteral(name)
}

/** Returns the TypeScript literal type of a JSON value. */
export function toLiteral(value: unknown): string {
  if (typeof value === 'string') return toStringLiteral(value)
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(', ')}]`
  if (!isRecord(value)) return String(value)
  const entries = Object.entries(value).map(([key, inner]) => `${toKey(key)}: ${toLiteral(inner)}`)
  return entries.length === 0 ? 'Record<string, never>' : `{ ${entries.join('; ')} }`
}

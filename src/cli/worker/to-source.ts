/**
 * Writes a JSON value as JavaScript source text for the entry of a worker, in the form that a formatter gives
 * it: on one line if that is short.
 */
export function toSource(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => toSource(one, inner))
    : Object.entries(value).map(([key, one]) => `${toKey(key)}: ${toSource(one, inner)}`)
  return wrap(isList ? '[]' : '{}', parts, indent)
}

/** Joins the source texts of items or members, and puts brackets around them. */
export function wrap(brackets: '[]' | '{}', parts: readonly string[], indent = ''): string {
  const [open, close] = brackets
  if (parts.length === 0) return brackets
  const line = parts.join(', ')
  const isShort = line.length <= 72 && !line.includes('\n')
  if (isShort) return brackets === '[]' ? `[${line}]` : `{ ${line} }`
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`
}

/** Writes a name as a key of an object. */
export function toKey(name: string): string {
  // As a plain key, the name would set the prototype.
  if (name === '__proto__') return `['__proto__']`
  return /^[a-z_$][\w$]*$/i.test(name) ? name : quote(name)
}

/** Writes a text as a string literal. */
export function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Writes a value with some members replaced by source texts. */
export function toSourceWith(
  value: object,
  members: Readonly<Record<string, string>>,
  indent: string,
): string {
  const kept = Object.entries(value).filter(([key]) => !Object.hasOwn(members, key))
  const parts = [
    ...kept.map(([key, one]) => `${toKey(key)}: ${toSource(one, `${indent}  `)}`),
    ...Object.entries(members).map(([key, text]) => `${toKey(key)}: ${text}`),
  ]
  return wrap('{}', parts, indent)
}

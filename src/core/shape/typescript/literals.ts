import { isRecord } from '../../json/json.ts'

/** Returns the TypeScript string literal of a text, for generated types. */
export function toStringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  // In TypeScript 5.0, these characters end a line, also inside of a string.
  const onOneLine = escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
  return `'${onOneLine.replaceAll("'", "\\'")}'`
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

import { isSame, type Json } from '../../json/json.ts'
import { inferredFormats } from '../../shape/formats.ts'
import { scalarText } from '../../json/scalar-text.ts'

/**
 * Returns the rule that a refused value breaks, as a keyword of JSON Schema with its value, by the numbers and words of
 * the message: `minimum` and 0 for "must be at least 0". Accepted values keep the rule.
 */
export function ruleOf(
  refused: Json,
  message: string,
  accepted: readonly Json[],
): readonly [keyword: string, limit: Json] | undefined {
  if (accepted.length === 0 || accepted.some((one) => isSame(one, refused))) return undefined
  const types = [...new Set(accepted.map(typeOf))]
  const [type = ''] = types
  if (!types.includes(typeOf(refused))) return types.length === 1 ? ['type', type] : undefined
  const limits = (message.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
  const isOpen = /\b(?:than (?!or\b)|above|below|positive)/i.test(message)
  const bounds = isOpen ? [...exclusive, ...inclusive] : [...inclusive, ...exclusive]
  const keywords = typeof refused === 'string' ? lengths : bounds
  // A message without a number leaves zero, which most numbers are not to go below.
  const candidates = limits.length > 0 || typeof refused === 'string' ? limits : [0]
  const rules = candidates.flatMap((limit) =>
    keywords.map(([keyword, keeps]) => ({ keyword, limit, keeps })),
  )
  const found = rules.find(
    ({ keeps, limit }) =>
      !keeps(sizeOf(refused), limit) && accepted.every((one) => keeps(sizeOf(one), limit)),
  )
  if (found) return [found.keyword, found.limit]
  if (typeof refused !== 'string') return undefined
  const format = inferredFormats.find(
    ({ name, test }) =>
      formats.has(name) && !test(refused) && accepted.every((one) => test(scalarText(one))),
  )
  if (format) return ['format', format.name]
  const values = optionsOf(message, accepted)
  return values && !values.includes(refused) ? ['enum', values] : undefined
}

const inclusive: readonly Bound[] = [
  ['minimum', (size, limit) => size >= limit],
  ['maximum', (size, limit) => size <= limit],
]

const exclusive: readonly Bound[] = [
  ['exclusiveMinimum', (size, limit) => size > limit],
  ['exclusiveMaximum', (size, limit) => size < limit],
]

const lengths: readonly Bound[] = [
  ['minLength', (size, limit) => size >= limit],
  ['maxLength', (size, limit) => size <= limit],
]

/** A keyword that limits a number or the length of a text, and whether a size keeps a limit. */
type Bound = readonly [keyword: string, keeps: (size: number, limit: number) => boolean]

/** The formats that APIs check. */
const formats = new Set(['date-time', 'date', 'time', 'uuid', 'email', 'uri'])

function sizeOf(value: Json): number {
  return typeof value === 'string' ? Array.from(value).length : Number(value)
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Returns the values that a message lists, or those of the records where few are frequent. */
function optionsOf(message: string, accepted: readonly Json[]): string[] | undefined {
  const known = [...new Set(accepted.map(scalarText))].toSorted()
  const [, list = ''] = /(?:one of|:|\[|\()\s*(.+)/i.exec(message) ?? []
  const words = (list.match(/[\p{L}\p{N}_-]+/gu) ?? []).filter(
    (word) => !/^(?:or|and)$/i.test(word),
  )
  if (known.every((one) => words.includes(one))) return words
  return known.length > 1 && known.length <= 10 && accepted.length >= 2 * known.length
    ? known
    : undefined
}

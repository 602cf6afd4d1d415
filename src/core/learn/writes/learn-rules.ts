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
  const types = new Set(accepted.map((one) => (Array.isArray(one) ? 'array' : typeof one)))
  const [type] = types
  if (type === undefined || accepted.some((one) => isSame(one, refused))) return undefined
  if (!types.has(Array.isArray(refused) ? 'array' : typeof refused)) {
    return types.size === 1 ? ['type', type] : undefined
  }
  const limits = (message.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
  const rules = typeof refused === 'string' ? textRules(limits) : numberRules(limits, message)
  if (typeof refused === 'string') {
    const values = optionsOf(message, accepted)
    rules.push(...formats, ['enum', values, (one) => values.includes(scalarText(one))])
  }
  const found = rules.find(([, , keeps]) => !keeps(refused) && accepted.every(keeps))
  return found && [found[0], found[1]]
}

/** A keyword, its value, and whether a value keeps the rule. */
type Rule = readonly [keyword: string, limit: Json, keeps: (value: Json) => boolean]

function textRules(limits: readonly number[]): Rule[] {
  const lengthOf = (value: Json): number => Array.from(scalarText(value)).length
  return limits.flatMap((limit): Rule[] => [
    ['minLength', limit, (value) => lengthOf(value) >= limit],
    ['maxLength', limit, (value) => lengthOf(value) <= limit],
  ])
}

function numberRules(limits: readonly number[], message: string): Rule[] {
  const isExclusive = /\b(?:than (?!or\b)|above|below|positive)/i.test(message)
  // A message without a number leaves zero, which most numbers are not to go below.
  return (limits.length > 0 ? limits : [0]).flatMap((limit): Rule[] => {
    const inclusive: Rule[] = [
      ['minimum', limit, (value) => Number(value) >= limit],
      ['maximum', limit, (value) => Number(value) <= limit],
    ]
    const exclusive: Rule[] = [
      ['exclusiveMinimum', limit, (value) => Number(value) > limit],
      ['exclusiveMaximum', limit, (value) => Number(value) < limit],
    ]
    return isExclusive ? [...exclusive, ...inclusive] : [...inclusive, ...exclusive]
  })
}

/** The formats that APIs check. */
const formats = inferredFormats
  .filter(({ name }) => /^(?:date-time|date|time|uuid|email|uri)$/.test(name))
  .map(({ name, test }): Rule => ['format', name, (value) => test(scalarText(value))])

/** Returns the values that a message lists, or those of the records where few are frequent. */
function optionsOf(message: string, accepted: readonly Json[]): string[] {
  const known = [...new Set(accepted.map(scalarText))].toSorted()
  const [, list = ''] = /(?:one of|:|\[|\()\s*(.+)/i.exec(message) ?? []
  const words = (list.match(/[\p{L}\p{N}_-]+/gu) ?? []).filter((one) => !/^(?:or|and)$/i.test(one))
  if (known.every((one) => words.includes(one))) return words
  const isFew = known.length > 1 && known.length <= 10 && accepted.length >= 2 * known.length
  return isFew ? known : []
}

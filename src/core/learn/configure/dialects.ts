import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import type { DialectCandidate } from '../learned.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { numberOf } from '../recognize/parameters.ts'
import { totalOf } from '../recognize/pages.ts'
import { toEnvelopes } from './envelopes.ts'
import type { LearnedErrors } from './errors.ts'
import { type KnownResources, learnResources } from './resource-bodies.ts'
import type { ExchangeGroups } from './exchange-groups.ts'
import { type ListFacts, mostFrequent, toListFacts } from './list-facts.ts'
import { learnParameters } from './parameter-names.ts'
import { findPreset } from './presets.ts'

/**
 * Finds the values of the option `dialect` with which a mock may answer like the recorded API, the likeliest
 * first: presets of `rest`, `rest` with learned options, `rest` itself, and the dialects of json-server. A
 * replay of the recorded reads chooses one of them; if several answer equally well, the first.
 */
export function findDialects(
  groups: ExchangeGroups,
  resources: KnownResources,
  errors: LearnedErrors,
): DialectCandidate[] {
  const facts = toListFacts(groups.lists)
  const { evidence, ...names } = learnParameters(groups.lists, resources.isField)
  const details: Record<string, string> = { ...evidence, ...errors.evidence }
  const envelopes = toEnvelopes(groups, facts, details)
  const pages = toPages(groups.lists, errors.isPageMissing)
  if (pages) details['pages'] = 'the pages of lists whose requests say no size'
  const bodies = learnResources(groups, resources, pages?.['always'] === true)
  const count = Object.keys(bodies).length
  if (count > 0)
    details['resources'] =
      `${count} ${count === 1 ? 'resource has a body of its own' : 'resources have bodies of their own'}`
  const { options } = errors
  const withBodies = (rest: JsonRecord): JsonRecord[] =>
    count > 0 ? [rest, { ...rest, resources: bodies }] : [rest]
  const learned = withBodies({ ...names, ...envelopes, ...options, ...(pages && { pages }) })
    .filter((rest) => Object.keys(rest).length > 0)
    .map((rest) => ({ value: { rest }, evidence: 'names and envelopes of the API', details }))
  const changes: JsonRecord[] = [
    {},
    options,
    { ...options, ...envelopes },
    names,
    { ...names, ...options },
    { ...names, ...options, ...envelopes },
  ]
  const presets = toPresets(facts, pages, details, changes.flatMap(withBodies))
  const standard: DialectCandidate = { value: undefined, evidence: '' }
  if (hasJsonServerNames(groups.lists)) return [...presets, standard, ...jsonServers, ...learned]
  const isPlain = groups.lists.every(({ query }) => query.length === 0)
  return [...presets, ...learned, standard, ...(isPlain ? jsonServers : [])]
}

/**
 * Returns the preset whose envelopes the lists have, as one candidate for each set of options that change the
 * preset.
 */
function toPresets(
  facts: readonly ListFacts[],
  pages: JsonRecord | undefined,
  details: Record<string, string>,
  changes: readonly JsonRecord[],
): DialectCandidate[] {
  const found = facts.flatMap(({ json }) => findPreset(json) ?? [])
  const [preset] = found
  if (!preset) return []
  const count = found.filter((other) => other === preset).length
  const evidence = `${count} lists have the ${preset.words}`
  const size = pages?.['size']
  const isOtherSize = size !== undefined && size !== preset.size
  return changes
    .filter((options, at) => changes.findIndex((earlier) => isSame(earlier, options)) === at)
    .map((options) => {
      const rest = { preset: preset.preset, ...options, ...(isOtherSize && { pages: { size } }) }
      return { value: { rest }, evidence, details: { ...details, preset: evidence } }
    })
}

const jsonServers: readonly DialectCandidate[] = [
  { value: 'json-server-1', evidence: 'parameters of json-server 1' },
  { value: 'json-server-0', evidence: 'parameters of json-server 0.17' },
]

/** Whether requests have the parameters of json-server, or responses its header. */
function hasJsonServerNames(lists: readonly ParsedExchange[]): boolean {
  const names = /^_(?:page|limit|per_page|sort|start|end|embed|expand)$/
  return lists.some(
    ({ query, headers }) =>
      query.some(([name]) => names.test(name)) ||
      headers.some(([name]) => /^x-total-count$/i.test(name)),
  )
}

/** Learns the option `pages` from lists whose requests have no page size. */
function toPages(lists: readonly ParsedExchange[], isPageMissing: boolean): JsonRecord | undefined {
  const sizes = lists.flatMap((exchange) => {
    const [{ count } = { count: 0 }] = toListFacts([exchange])
    if (numberOf(exchange.query, 'limit') !== undefined) return []
    const stated = sizeIn(exchange.json)
    if (stated !== undefined) return [String(stated)]
    const isPart = count > 0 && (totalOf(exchange, count) ?? 0) > count
    return isPart ? [String(count)] : []
  })
  const size = mostFrequent(sizes)?.[0]
  const isFromZero = lists.some(({ query }) => numberOf(query, 'page') === 0)
  if (size === undefined && !isFromZero && !isPageMissing) return undefined
  return {
    ...(isFromZero && { first: 0 }),
    ...(isPageMissing && { beyond: 'missing' }),
    ...(size !== undefined && { size: Number(size), always: true }),
  }
}

/** Finds the page size in an envelope, beside the records or one level deeper. */
function sizeIn(json: Json | undefined, depth = 0): number | undefined {
  if (!isRecord(json) || depth > 1) return undefined
  for (const [key, value] of Object.entries(json)) {
    const isSize = /^(?:per_?page|page_?size|limit|size|itemsPerPage)$/i.test(key)
    if (isSize && typeof value === 'number' && value > 0) return value
  }
  for (const value of Object.values(json)) {
    const found = sizeIn(value, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

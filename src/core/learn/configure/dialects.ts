import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import type { DialectCandidate } from '../learned.ts'
import type { ParsedExchange } from '../parse/parsed-exchange.ts'
import { numberOf } from '../recognize/parameters.ts'
import { totalOf } from '../recognize/totals.ts'
import { toEnvelopes } from './envelopes.ts'
import type { LearnedErrors } from './errors.ts'
import { type KnownResources, learnResources } from './resource-bodies.ts'
import type { ExchangeGroups } from './exchange-groups.ts'
import { type ListFacts, mostFrequent, toListFacts } from './list-facts.ts'
import { learnParameters } from './parameter-names.ts'
import { findPreset } from './presets.ts'

/** The dialects that may answer like the API, the likeliest first: the first of those that answer alike is chosen. */
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
  const single = learnResources(groups, resources, pages?.['always'] === true)
  const count = Object.keys(single).length
  if (count > 0)
    details['resources'] =
      `${count} ${count === 1 ? 'resource has a body of its own' : 'resources have bodies of their own'}`
  const own: JsonRecord = { ...names, ...envelopes, ...errors.options, ...(pages && { pages }) }
  const withSingle = (rest: JsonRecord): JsonRecord[] =>
    count > 0 ? [rest, { ...rest, resources: single }] : [rest]
  const named = withSingle(own)
    .filter((rest) => Object.keys(rest).length > 0)
    .map((rest) => ({ value: { rest }, evidence: 'names and envelopes of the API', details }))
  const onTop: JsonRecord[] = [
    {},
    errors.options,
    { ...errors.options, ...envelopes },
    names,
    { ...names, ...errors.options },
    { ...names, ...errors.options, ...envelopes },
  ]
  const ofPreset = toPresets(facts, pages, details, onTop.flatMap(withSingle))
  const standard: DialectCandidate = { value: undefined, evidence: '' }
  if (hasJsonServerNames(groups.lists)) return [...ofPreset, standard, ...jsonServers, ...named]
  const isPlain = groups.lists.every(({ query }) => query.length === 0)
  return [...ofPreset, ...named, standard, ...(isPlain ? jsonServers : [])]
}

/** The preset whose envelopes lists have, with each of the options on top of it. */
function toPresets(
  facts: readonly ListFacts[],
  pages: JsonRecord | undefined,
  details: Record<string, string>,
  options: readonly JsonRecord[],
): DialectCandidate[] {
  const preset = facts.map(({ json }) => findPreset(json)).find((one) => one !== undefined)
  if (!preset) return []
  const count = facts.filter(({ json }) => findPreset(json) === preset).length
  const evidence = `${count} lists have the ${preset.words}`
  const said = pages?.['size']
  const size = said === undefined || said === preset.size ? {} : { pages: { size: said } }
  return options.flatMap((own, at) => {
    if (options.findIndex((other) => isSame(other, own)) < at) return []
    const value = { rest: { preset: preset.preset, ...own, ...size } }
    return [{ value, evidence, details: { ...details, preset: evidence } }]
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

/** The option `pages`, from lists whose requests have no page size. */
function toPages(lists: readonly ParsedExchange[], isPageMissing: boolean): JsonRecord | undefined {
  const sizes = lists.flatMap((exchange) => {
    const [{ count } = { count: 0 }] = toListFacts([exchange])
    if (numberOf(exchange.query, 'limit') !== undefined) return []
    const said = sizeIn(exchange.json)
    const total = totalOf(exchange, count)
    const isPart = total !== undefined && total > count && count > 0
    return said !== undefined ? [String(said)] : isPart ? [String(count)] : []
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

/** The page size in an envelope, beside its records or one level deeper. */
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

import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import type { DialectCandidate } from '../learned.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { totalOf } from '../recognize/pages.ts'
import { numberOf } from '../recognize/parameters.ts'
import {
  toEnvelopes,
  type ExchangeGroups,
  type KnownResources,
  learnResources,
} from './envelopes.ts'
import { type ListFacts, mostFrequent, toListFacts } from './list-template.ts'
import { learnParameters } from './parameter-names.ts'

/**
 * Finds the values of the option `dialect` with which a mock may answer like the recorded API, the likeliest
 * first: presets of `rest`, `rest` with learned options, `rest` itself, and the dialects of json-server. A
 * replay of the recorded reads chooses one of them; if several answer equally well, the first.
 */
export function findDialects(
  groups: ExchangeGroups,
  resources: KnownResources,
  errors: Record<string, Json>,
): DialectCandidate[] {
  const facts = toListFacts(groups.lists)
  const { evidence, ...names } = learnParameters(groups.lists, resources.isField)
  const details: Record<string, string> = { ...evidence }
  const hasErrors = Object.keys(errors).length > 0
  const bodies: JsonRecord = hasErrors ? { errors } : {}
  if (hasErrors) details['errors'] = 'the most frequent errors have these bodies'
  const envelopes = toEnvelopes(groups, facts, details)
  const pages = toPages(groups.lists, 'PAGE_UNKNOWN' in errors)
  if (pages) details['pages'] = 'the pages of lists whose requests say no size'
  const own = learnResources(groups, resources, pages?.['always'] === true)
  const count = Object.keys(own).length
  if (count > 0)
    details['resources'] =
      `${count} ${count === 1 ? 'resource has a body of its own' : 'resources have bodies of their own'}`
  const withOwn = (rest: JsonRecord): JsonRecord[] =>
    count > 0 ? [rest, { ...rest, resources: own }] : [rest]
  const learned = withOwn({ ...names, ...envelopes, ...bodies, ...(pages && { pages }) })
    .filter((rest) => Object.keys(rest).length > 0)
    .map((rest) => ({ value: { rest }, evidence: 'names and envelopes of the API', details }))
  const changes: JsonRecord[] = [
    {},
    bodies,
    { ...bodies, ...envelopes },
    names,
    { ...names, ...bodies },
    { ...names, ...bodies, ...envelopes },
  ]
  const presets = toPresets(facts, pages, details, changes.flatMap(withOwn))
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

/**
 * Finds the preset of `rest` that imitates the framework behind an API, by the envelope of a list; undefined
 * for an unknown envelope.
 */
export function findPreset(json: Json): PresetRow | undefined {
  if (!isRecord(json)) return undefined
  return presets.find(({ paths }) =>
    paths.every((path) => valueAt(json, path.split('.')) !== undefined),
  )
}

/** A preset of `rest`, and the members of a list's envelope by which it is recognized. */
interface PresetRow {
  preset: string
  /** The paths of members that every such envelope has. */
  paths: readonly string[]
  words: string
  /** The number of records of a page of the preset. */
  size?: number
}

/** The presets whose envelopes are recognized. */
const presets: readonly PresetRow[] = [
  {
    preset: 'laravel',
    paths: ['data', 'links.first', 'meta.current_page', 'meta.last_page', 'meta.per_page'],
    words: 'paginator of Laravel',
    size: 15,
  },
  {
    preset: 'django-rest-framework',
    paths: ['count', 'next', 'previous', 'results'],
    words: 'pagination of Django REST framework',
    size: 100,
  },
  {
    preset: 'spring-data-rest',
    paths: ['_embedded', '_links.self', 'page.totalElements', 'page.number'],
    words: 'HAL of Spring Data REST',
    size: 20,
  },
  {
    preset: 'nestjsx-crud',
    paths: ['data', 'count', 'total', 'page', 'pageCount'],
    words: 'page of @nestjsx/crud',
  },
]

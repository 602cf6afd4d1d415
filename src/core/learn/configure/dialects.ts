import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import type { DialectCandidate } from '../learned.ts'
import { isSuccess, type Reading } from '../reading/reading.ts'
import { findRecord } from '../recognize/envelope.ts'
import { contextKey } from '../recognize/hypermedia.ts'
import { numberOf } from '../recognize/parameters.ts'
import { totalOf } from '../recognize/totals.ts'
import type { Places } from '../recognize/places.ts'
import type { LearnedErrors } from './errors.ts'
import { type ListFacts, mostFrequent, toListFacts } from './list-notes.ts'
import { learnParameters } from './parameter-names.ts'
import { findPreset } from './presets.ts'
import { toTemplate } from './template.ts'
import { type TextSample, toTextTemplate } from './text-template.ts'

/** The readings of collections, by what they show. */
export interface Kinds {
  lists: Reading[]
  members: Reading[]
  writes: Reading[]
}

/** Sorts the successful readings of collections by what they show. */
export function toKinds(readings: readonly Reading[], places: Places): Kinds {
  const kinds: Kinds = { lists: [], members: [], writes: [] }
  for (const reading of readings) {
    const place = isSuccess(reading) ? places.find(reading.segments) : undefined
    if (!place) continue
    if (reading.method !== 'GET') kinds.writes.push(reading)
    else kinds[place.kind === 'collection' ? 'lists' : 'members'].push(reading)
  }
  return kinds
}

/** The keys that lead to the record in the responses of members; empty where the response is the record. */
export function memberEnvelope({ members }: Kinds): string[] {
  const paths = members.flatMap(({ json, segments }) => {
    const found = findRecord(json, segments.at(-2))
    return found ? [found.at.join('.')] : []
  })
  return (
    mostFrequent(paths)?.[0]
      .split('.')
      .filter((key) => key !== '') ?? []
  )
}

/** The dialects that may answer like the API, the likeliest first: the first of those that answer alike is chosen. */
export function findDialects(
  kinds: Kinds,
  isField: (name: string) => boolean,
  errors: LearnedErrors,
): DialectCandidate[] {
  const facts = toListFacts(kinds.lists)
  const { evidence, ...names } = learnParameters(kinds.lists, isField)
  const details: Record<string, string> = { ...evidence, ...errors.evidence }
  const envelopes = toEnvelopes(kinds, facts, details)
  const pages = toPages(kinds.lists, errors.isPageMissing)
  if (pages) details['pages'] = 'the pages of lists whose requests say no size'
  const own: JsonRecord = { ...names, ...envelopes, ...errors.options, ...(pages && { pages }) }
  const named: DialectCandidate[] =
    Object.keys(own).length === 0
      ? []
      : [{ value: { rest: own }, evidence: 'names and envelopes of the API', details }]
  const ofPreset = toPresets(facts, pages, details, [
    {},
    errors.options,
    { ...errors.options, ...envelopes },
    names,
    { ...names, ...errors.options },
    { ...names, ...errors.options, ...envelopes },
  ])
  const standard: DialectCandidate = { value: undefined, evidence: '' }
  if (hasJsonServerNames(kinds.lists)) return [...ofPreset, standard, ...jsonServers, ...named]
  const isPlain = kinds.lists.every(({ query }) => query.length === 0)
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
function hasJsonServerNames(lists: readonly Reading[]): boolean {
  const names = /^_(?:page|limit|per_page|sort|start|end|embed|expand)$/
  return lists.some(
    ({ query, headers }) =>
      query.some(([name]) => names.test(name)) ||
      headers.some(([name]) => /^x-total-count$/i.test(name)),
  )
}

/** Learns the envelopes of lists, records and the responses to writes. */
function toEnvelopes(
  kinds: Kinds,
  facts: readonly ListFacts[],
  details: Record<string, string>,
): Record<string, Json> {
  const envelopes: Record<string, Json> = {}
  const best = mostFrequent(facts.map(({ at }) => at.join('.')))
  if (best && best[0] !== '') {
    envelopes['list'] = toTemplate(facts.filter(({ at }) => at.join('.') === best[0]))
    details['list'] = `${best[1]} of ${facts.length} lists have this envelope`
  }
  const at = memberEnvelope(kinds)
  const members = kinds.members.filter(({ json }) => isRecord(json))
  if (at.length > 0) {
    envelopes['record'] = toRecordTemplate(members, at)
    details['record'] = `${members.length} records have this envelope`
  } else {
    const context = toContext(members)
    if (context !== undefined) envelopes['record'] = { [contextKey]: context, '...': '$record' }
  }
  for (const [option, methods] of writeOptions) {
    const [template, count] = toWriteTemplate(
      kinds.writes,
      methods,
      envelopes['record'] ?? '$record',
    )
    if (template === undefined) continue
    envelopes[option] = template
    details[option] = `${count} responses to ${methods.join(' and ')}`
  }
  return envelopes
}

const writeOptions = [
  ['created', ['POST']],
  ['updated', ['PUT', 'PATCH']],
  ['removed', ['DELETE']],
] as const

function toRecordTemplate(readings: readonly Reading[], at: readonly string[]): Json {
  const [key = ''] = at
  const others = readings.flatMap(({ json }) => (isRecord(json) && key in json ? [json] : []))
  const [first] = others
  const constant = Object.entries(first ?? {}).filter(
    ([name, value]) => name !== key && others.every((one) => isSame(one[name], value)),
  )
  return { ...Object.fromEntries(constant), [key]: '$record' }
}

/** The member `@odata.context` of records, which the learner leaves out of fixtures. */
function toContext(readings: readonly Reading[]): string | undefined {
  const texts = readings.flatMap(({ json, segments }): TextSample[] => {
    const text = isRecord(json) ? json[contextKey] : undefined
    return typeof text === 'string' ? [[text, [['$resource', segments.at(-2) ?? '']]]] : []
  })
  return texts.length > 0 && texts.length === readings.length ? toTextTemplate(texts) : undefined
}

/** The body of the responses to some writes, where it is not that of a record. */
function toWriteTemplate(
  writes: readonly Reading[],
  methods: readonly string[],
  standard: Json,
): [template: Json | undefined, count: number] {
  const found = writes.filter(({ method }) => methods.includes(method))
  const count = found.length
  if (count === 0) return [undefined, 0]
  if (found.every(({ isEmpty }) => isEmpty)) return [null, count]
  if (found.every(({ json }) => isRecord(json) && Object.keys(json).length === 0))
    return [{}, count]
  const paths = found.flatMap(({ json, segments, method }) =>
    json === undefined
      ? []
      : [findRecord(json, segments.at(method === 'POST' ? -1 : -2))?.at.join('.') ?? ''],
  )
  const best = mostFrequent(paths)?.[0]
  if (best === undefined) return [undefined, 0]
  const template: Json = best === '' ? '$record' : { [best]: '$record' }
  return isSame(template, standard) || best !== '' ? [undefined, 0] : [template, count]
}

/** The pages of lists whose requests say no size. */
function toPages(lists: readonly Reading[], isPageMissing: boolean): JsonRecord | undefined {
  const sizes = lists.flatMap((reading) => {
    const [{ count } = { count: 0 }] = toListFacts([reading])
    if (numberOf(reading.query, 'limit') !== undefined) return []
    const said = sizeIn(reading.json)
    const total = totalOf(reading, count)
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

/** The size of a page that an envelope says, beside its records or one level deeper. */
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

import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { singularOf } from '../../text/plurals.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { findRecord, contextKey } from '../recognize/envelope.ts'
import { type ExchangeGroups, toRecordKeys } from './exchange-groups.ts'
import { type ListFacts, mostFrequent, pathOf } from './list-facts.ts'
import { toTemplate } from './template.ts'
import { escapeTemplate, type TextSample, toLiteral, toTextTemplate } from './text-template.ts'

/**
 * Learns the options of `rest` for envelopes: the JSON around the records of a list, around a single record,
 * and in responses to writes. Adds the evidence of each option to `details`.
 */
export function toEnvelopes(
  groups: ExchangeGroups,
  facts: readonly ListFacts[],
  details: Record<string, string>,
): Record<string, Json> {
  const envelopes: Record<string, Json> = { ...toListEnvelopes(facts, details) }
  const key = mostFrequent(toRecordKeys(groups.members))?.[0]
  const members = groups.members.filter(({ json }) => isRecord(json))
  const record = key ? toRecordTemplate(members, key) : toContextTemplate(members)
  if (record !== undefined) {
    envelopes['record'] = record
    details['record'] = `${members.length} records have this envelope`
  }
  for (const [option, methods] of writeOptions) {
    const writes = groups.writes.filter(({ method }) => methods.includes(method))
    const template = toWriteTemplate(writes, record)
    if (template === undefined) continue
    envelopes[option] = template
    details[option] = `${writes.length} responses to ${methods.join(' and ')}`
  }
  return envelopes
}

/** Learns the envelope of lists, and that of pages if pages have another envelope. */
function toListEnvelopes(
  facts: readonly ListFacts[],
  details: Record<string, string>,
): Record<string, Json> {
  const pages = facts.filter(({ page, offset }) => page !== undefined || offset !== undefined)
  const lists = facts.filter((list) => !pages.includes(list))
  const isSplit = hasOwnKeys(lists, pages) || hasOwnKeys(pages, lists)
  const groups = isSplit ? { list: lists, page: pages } : { list: facts }
  const found: Record<string, Json> = {}
  for (const [option, group] of Object.entries(groups)) {
    const best = toEnvelope(group)
    if (!best || (best.template === '$items' && !isSplit)) continue
    found[option] = best.template
    details[option] = best.evidence
  }
  return found
}

/**
 * Whether all lists of a group have a key that no list of the other group has; the keys of an array are its
 * items.
 */
function hasOwnKeys(lists: readonly ListFacts[], others: readonly ListFacts[]): boolean {
  if (others.length === 0) return false
  const [first = [], ...rest] = lists.map(keysOf)
  const known = new Set(others.flatMap(keysOf))
  return first.some((key) => !known.has(key) && rest.every((keys) => keys.includes(key)))
}

function keysOf({ json }: ListFacts): string[] {
  return isRecord(json) ? Object.keys(json) : ['[]']
}

/** Returns the template of the envelope that most lists have. */
function toEnvelope(facts: readonly ListFacts[]): { template: Json; evidence: string } | undefined {
  const best = mostFrequent(facts.map(pathOf))
  if (!best) return undefined
  const [path, count] = best
  return {
    template: toTemplate(facts.filter((list) => pathOf(list) === path)),
    evidence: `${count} of ${facts.length} lists have this envelope`,
  }
}

/** The options for the responses to writes, with the methods of the writes. */
const writeOptions: readonly [option: string, methods: readonly string[]][] = [
  ['created', ['POST']],
  ['updated', ['PUT', 'PATCH']],
  ['removed', ['DELETE']],
]

/**
 * Creates the template of the bodies of single records, with the members that all bodies share; `key` is the
 * member that holds the record.
 */
export function toRecordTemplate(exchanges: readonly ParsedExchange[], key: string): Json {
  const isNamed = exchanges.every(({ json, segments }) => {
    const name = singularOf(segments.at(-2) ?? '')
    return isRecord(json) && isRecord(json[name])
  })
  const bodies = exchanges.flatMap(({ json }) => (isRecord(json) && key in json ? [json] : []))
  const constants = Object.entries(bodies[0] ?? {}).filter(
    ([name, value]) => name !== key && bodies.every((body) => isSame(body[name], value)),
  )
  const others = toLiteral(Object.fromEntries(constants)) as JsonRecord
  return { ...others, [isNamed ? '$singular' : escapeTemplate(key)]: '$record' }
}

/** Creates a template with the member `@odata.context`, which the learner leaves out of fixtures. */
function toContextTemplate(exchanges: readonly ParsedExchange[]): Json | undefined {
  const texts = exchanges.flatMap(({ json, segments }): TextSample[] => {
    const text = isRecord(json) ? json[contextKey] : undefined
    return typeof text === 'string' ? [[text, [['$resource', segments.at(-2) ?? '']]]] : []
  })
  const context = texts.length === exchanges.length ? toTextTemplate(texts) : undefined
  return context === undefined ? undefined : { [contextKey]: context, '...': '$record' }
}

/**
 * Creates the template of the responses to writes; returns undefined for responses with the envelope of
 * records.
 */
function toWriteTemplate(
  writes: readonly ParsedExchange[],
  recordTemplate: Json | undefined,
): Json | undefined {
  if (writes.length === 0) return undefined
  if (writes.every(({ isEmpty }) => isEmpty)) return null
  if (writes.every(({ json }) => isRecord(json) && Object.keys(json).length === 0)) return {}
  const paths = writes.flatMap(({ json, segments, method }) => {
    if (json === undefined) return []
    const collection = segments.at(method === 'POST' ? -1 : -2)
    return [findRecord(json, collection)?.key ?? '']
  })
  const isBare = mostFrequent(paths)?.[0] === ''
  return isBare && recordTemplate !== undefined ? '$record' : undefined
}

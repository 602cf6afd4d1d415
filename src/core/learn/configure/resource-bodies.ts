import { isRecord, type JsonRecord } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { findList, findRecord } from '../recognize/envelope.ts'
import { roleOf } from '../recognize/parameters.ts'
import { toRecordTemplate } from './envelopes.ts'
import { type ExchangeGroups, toRecordKeys } from './exchange-groups.ts'
import { mostFrequent, pathOf, toListFacts } from './list-facts.ts'
import { toTemplate } from './template.ts'

/**
 * Learns the option `resources` of `rest`: the envelopes and fields of the resources whose bodies differ from
 * the most frequent bodies of the API.
 */
export function learnResources(
  groups: ExchangeGroups,
  { all, nameOf, isField }: KnownResources,
  isAlwaysPaged: boolean,
): Record<string, JsonRecord> {
  const lists = groupBy(groups.lists, nameOf)
  const members = groupBy(groups.members, nameOf)
  const usual = {
    list: mostFrequent(toListFacts(groups.lists).map(pathOf))?.[0],
    record: mostFrequent(toRecordKeys(groups.members))?.[0],
  }
  const rows = all.map(({ name, idField, isWrapped, hidden = [] }): [string, JsonRecord] => {
    if (idField === undefined) {
      const isOther = isWrapped === false && (usual.record ?? '') !== ''
      return [name, isOther ? { record: '$record' } : {}]
    }
    const ownLists = lists.get(name) ?? []
    const ownMembers = members.get(name) ?? []
    const unlisted = findUnlisted(ownLists, ownMembers, idField).filter(isField)
    return [
      name,
      {
        ...toList(ownLists, usual.list, isAlwaysPaged),
        ...toRecord(ownMembers, usual.record),
        ...(hidden.length > 0 && { hidden: [...hidden] }),
        ...(unlisted.length > 0 && { unlisted }),
      },
    ]
  })
  return Object.fromEntries(rows.filter(([, own]) => Object.keys(own).length > 0))
}

/** A resource of the API, with the properties that decide its bodies. */
export interface KnownResource {
  name: string
  /** The id field of a collection. */
  idField?: string | undefined
  /** The fields that no response has: foreign keys that the learner added because of nested paths. */
  hidden?: readonly string[]
  /** Whether the value of a singleton is in the envelope of records. */
  isWrapped?: boolean
}

/** The resources of the API. */
export interface KnownResources {
  all: readonly KnownResource[]
  nameOf(exchange: ParsedExchange): string | undefined
  isField(name: string): boolean
}

function groupBy(
  exchanges: readonly ParsedExchange[],
  nameOf: (exchange: ParsedExchange) => string | undefined,
): Map<string, ParsedExchange[]> {
  const groups = new Map<string, ParsedExchange[]>()
  for (const exchange of exchanges) addToMultimap(groups, nameOf(exchange) ?? '', exchange)
  return groups
}

/**
 * Learns the form of the lists of a resource, and whether they are paged, if most lists of the API have another
 * form.
 */
function toList(
  exchanges: readonly ParsedExchange[],
  usual: string | undefined,
  isAlwaysPaged: boolean,
): JsonRecord {
  const facts = toListFacts(exchanges)
  const paths = facts.map(pathOf)
  const best = mostFrequent(paths)?.[0]
  if (best === undefined || paths.includes(usual ?? '')) return {}
  const isPaged = facts.some(({ page, offset }) => page !== undefined || offset !== undefined)
  return {
    list: toTemplate(facts.filter((list) => pathOf(list) === best)),
    ...(isAlwaysPaged && !isPaged && { pages: { always: false } }),
  }
}

/** Learns the form of the single records of a resource, if most single records of the API have another form. */
function toRecord(exchanges: readonly ParsedExchange[], usual: string | undefined): JsonRecord {
  const keys = toRecordKeys(exchanges)
  const best = mostFrequent(keys)?.[0]
  if (best === undefined || keys.includes(usual ?? '')) return {}
  if (best === '') return { record: '$record' }
  const bodies = exchanges.filter(({ json }) => isRecord(json))
  return { record: toRecordTemplate(bodies, best) }
}

/**
 * Finds the fields that lists of a resource leave out, although responses to GETs of the same records have
 * them.
 */
function findUnlisted(
  lists: readonly ParsedExchange[],
  members: readonly ParsedExchange[],
  idField: string,
): string[] {
  const rows = lists
    .filter(isWhole)
    .flatMap(({ json, segments }) => findList(json, segments.at(-1))?.items ?? [])
  const ids = new Set(rows.map(({ [idField]: id }) => id))
  const listed = new Set(rows.flatMap(Object.keys))
  const fields = members.filter(isWhole).flatMap(({ json, segments }) => {
    const { record = {} } = findRecord(json, segments.at(-2)) ?? {}
    return ids.has(record[idField] ?? null) ? Object.keys(record) : []
  })
  return [...new Set(fields)].filter((name) => !listed.has(name))
}

/** Whether a request neither selects fields nor embeds other records. */
function isWhole({ query }: ParsedExchange): boolean {
  return query.every(([name, value]) => !['fields', 'embed'].includes(roleOf(name, value) ?? ''))
}

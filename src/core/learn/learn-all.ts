import { isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { headerOf } from '../http/contract/messages.ts'
import { addToMultimap } from '../structures/add-to-multimap.ts'
import { baseName } from '../text/foreign-keys.ts'
import { findLogins } from './auth/find-logins.ts'
import { addAccounts, learnAuth } from './auth/learn-auth.ts'
import { type LearnedFilters, learnFilters } from './configure/filters.ts'
import { type FilteredList, learnSort, toCreationOrder } from './configure/order.ts'
import {
  findRoutes,
  learnRelations,
  toIdOptions,
  toNestedOptions,
  toRelation,
} from './configure/mock-options.ts'
import { findDialects } from './configure/dialects.ts'
import { learnErrors } from './configure/errors.ts'
import { groupExchanges, toRecordKeys, type KnownResources } from './configure/envelopes.ts'
import { mostFrequent, type RecordedList } from './configure/list-template.ts'
import type { Learned, LearnedOption, LearnedResource, Question } from './learned.ts'
import { compareTexts, isSuccess, type ParsedExchange } from './parse-exchange.ts'
import { findAliases, toAliasOptions, withAliases } from './recognize/aliases.ts'
import { idOf, isId } from './recognize/ids.ts'
import { findBase, findResourcePaths, type ResourcePaths } from './recognize/resource-paths.ts'
import { fromJsonApi } from './recognize/json-api.ts'
import { linkParents } from './records/link-parents.ts'
import {
  createParents,
  extractEmbedded,
  type ParentsOf,
  type RelatedKey,
} from './records/related.ts'
import { extractRecords } from './records/extract-records.ts'
import { extractLinks } from './records/extract-links.ts'
import { findSingles, type Single } from './records/singles.ts'
import { survey, type Survey, type SurveyedCollection } from './records/survey.ts'
import { type MergedCollection, toFixture, toRecords } from './records/to-records.ts'
import { toAnswers, toReads } from './to-answers.ts'
import { learnInvalid } from './writes/learn-refusals.ts'
import { learnPut, learnWrites } from './writes/learn-writes.ts'
import { learnOwners } from './writes/learn-owners.ts'
import { toWriteSamples } from './writes/write-samples.ts'

/** Learns from all exchanges at once, sorted by time and without private values. */
export function learnAll(origin: string, parsed: readonly ParsedExchange[]): Learned {
  const jsonApi = fromJsonApi(parsed)
  const given = jsonApi?.exchanges ?? parsed
  const givenPaths = findResourcePaths(given)
  const aliases = findAliases(given, givenPaths)
  const all = withAliases(given, aliases)
  const resourcePaths = aliases.length > 0 ? findResourcePaths(all) : givenPaths
  const logins = findLogins(all, resourcePaths)
  const recorded = logins?.exchanges ?? all
  const exchanges = recorded.filter((one) => !logins?.kinds.has(one))
  const groups = groupExchanges(exchanges, resourcePaths)
  const lists = [...groups.lists, ...groups.nested]
  const surveyed = survey(recorded, resourcePaths, lists, logins)
  const envelope = mostFrequent(toRecordKeys(groups.members))?.[0] ?? ''
  const withoutLogins = surveyed.others.filter((one) => {
    const kind = logins?.kinds.get(one)
    return kind === undefined || (kind === 'register' && !isSuccess(one))
  })
  const { singles, others } = findSingles(withoutLogins, resourcePaths, envelope)
  const records = extractRecords(surveyed.collections)
  const merged = [...surveyed.collections.values()].map(toRecords)
  const keys = [...(jsonApi?.relations ?? []), ...records.keys, ...linkAll(merged)]
  const collections = merged.filter((one) => !isUnknown(one, surveyed.collections.get(one.path)))
  const viewers = logins ? addAccounts(logins, collections) : []

  const parentsOf = createParents(collections, keys)
  const embedded = extractEmbedded(collections, parentsOf)
  for (const { child, field } of records.keys) addToMultimap(embedded, child, field)
  const learnedLists = learnLists(
    collections,
    lists,
    resourcePaths,
    keys,
    parentsOf,
    createWrites(exchanges),
    // The dialect has its own names of filters.
  ).map((one) => (jsonApi ? { ...one, filters: {}, counts: {}, unknown: {} } : one))
  const links = new Map(collections.map((one) => [one.path, extractLinks(one, origin)]))

  const base = findBase([
    ...[...collections, ...singles].map(({ path }) => path.split('/')),
    ...others.map(({ segments }) => segments),
    ...[...(logins?.kinds.keys() ?? [])].map(({ segments }) => segments),
  ])
  const nameOf = (path: string): string => path.slice(base.length)
  const resources = toResources(collections, singles, nameOf)
  const names = new Map(collections.map(({ path }) => [path, nameOf(path)]))
  const fields = new Set([
    ...collections.flatMap((one) => toFixture(one).flatMap(Object.keys)),
    ...[...embedded.values()].flat(),
  ])
  const known: KnownResources = {
    all: [
      ...collections.map(({ path, idField }) => ({
        name: nameOf(path),
        idField,
        links: links.get(path),
        hidden: [
          ...keys.flatMap(({ child, by, key }) =>
            child === path && (by === 'path' || by === 'embedded') ? [key] : [],
          ),
          ...(logins?.collection === path ? logins.hidden : []),
        ],
      })),
      ...singles.map(({ path, record }) => ({ name: nameOf(path), record })),
    ],
    views: aliases.flatMap(({ pattern, target, isNested }) =>
      isNested ? [] : [[nameOf(pattern), nameOf(target)] as const],
    ),
    nameOf: ({ segments }) => names.get(resourcePaths.find(segments)?.collection ?? ''),
    nestedNameOf({ segments }) {
      const found = resourcePaths.find(segments)
      const [parent, child] = [found?.parent?.collection, found?.collection].map((path) =>
        names.get(path ?? ''),
      )
      return parent === undefined || child === undefined ? undefined : `${parent}/:id/${child}`
    },
    isField: (name) => fields.has(name),
    isFilter: (name) => learnedLists.some(({ filters }) => Object.hasOwn(filters, name)),
  }
  const auth =
    logins &&
    learnAuth(logins, {
      users: nameOf(logins.collection),
      base,
      nameOf,
      resourcePaths,
      envelope,
      viewers,
    })
  const accounts = logins && { logins, viewers }
  const requests = recorded.filter(({ isPart }) => !isPart)
  const writes = toWriteSamples(
    requests,
    resourcePaths,
    surveyed,
    (path) => names.get(path),
    records.toStored,
    accounts,
  )
  const owners = learnOwners(writes, viewers)
  const recordsOf = (name: string): JsonRecord[] =>
    [resources.find((one) => one.name === name)?.value ?? []].flat().filter((one) => isRecord(one))
  return {
    origin,
    resources,
    options: [
      ...(base === ''
        ? []
        : [{ path: ['base'], value: base, evidence: 'the paths of all resources begin with it' }]),
      ...toIdOptions(collections, surveyed.collections, nameOf),
      ...keys
        .filter(({ by }) => by === 'values' || by === 'embedded' || by === 'linkage')
        .map((key) => toRelation(key, nameOf)),
      ...learnRelations(resources),
      ...toNestedOptions(collections, exchanges, resourcePaths, nameOf),
      ...toListOptions(learnedLists, nameOf),
      ...Array.from(embedded, ([path, [first, ...others]]) => ({
        path: ['resources', nameOf(path), 'embed'],
        value: others.length === 0 ? (first ?? '') : [first ?? '', ...others],
        evidence: 'responses have these related records',
      })),
      ...owners.map(({ option }) => option),
      ...findRoutes(exchanges, resourcePaths, nameOf),
      ...toAliasOptions(aliases, nameOf),
      ...(auth?.options ?? []),
    ].filter(isFirstOfPath),
    dialects:
      jsonApi?.dialects ??
      findDialects(
        groups,
        known,
        [
          learnErrors(recorded, resourcePaths, logins?.kinds),
          learnPut(writes),
          learnInvalid(writes, recordsOf),
        ],
        learnErrorType(recorded),
      ),
    viewers,
    reads: toReads(requests, resourcePaths, names, accounts).map(restore),
    answers: toAnswers(others, writes, resources).map(restore),
    writes: writes.map((one) => ({ ...one, exchange: restore(one.exchange) })),
    proposals: learnWrites(writes, resources, owners),
    questions: [
      ...(auth?.questions ?? []),
      ...toQuestions(collections, surveyed, nameOf),
      ...toFilterQuestions(learnedLists, nameOf),
    ],
  }
}

/** Returns an exchange with the documents that plain records have replaced. */
const restore = <One extends ParsedExchange>(one: One): One => ({ ...one, ...one.document })

function toResources(
  collections: readonly MergedCollection[],
  singles: readonly Single[],
  nameOf: (path: string) => string,
): LearnedResource[] {
  const resources: LearnedResource[] = [
    ...collections.map((one): LearnedResource => ({
      name: nameOf(one.path),
      kind: 'collection',
      idField: one.idField,
      value: toFixture(one),
      removed: one.removed,
    })),
    ...singles.map(({ path, kind, value }): LearnedResource => ({
      name: nameOf(path),
      kind,
      value,
      removed: [],
    })),
  ]
  return resources.toSorted((a, b) => compareTexts(a.name, b.name))
}

/** The order that the lists of a collection show, and the names of its filters. */
interface LearnedLists extends LearnedFilters {
  path: string
  sort: string | undefined
}

/** Learns the order and the filters of each collection, and sorts the records of the newest first by id. */
function learnLists(
  collections: readonly MergedCollection[],
  lists: readonly RecordedList[],
  resourcePaths: ResourcePaths,
  keys: readonly RelatedKey[],
  parentsOf: ParentsOf,
  writesTo: (path: string) => readonly ParsedExchange[],
): LearnedLists[] {
  return collections.map(({ path, idField, records, total, hasLocalIds }) => {
    const byId = new Map(
      Array.from(records, ([id, { record }]) => [id, { ...parentsOf(path, record), ...record }]),
    )
    const expanded = [...byId.values()]
    const own = lists.flatMap((list): FilteredList[] => {
      const { collection, parent } = resourcePaths.find(list.segments) ?? {}
      if (collection !== path || (hasLocalIds && parent)) return []
      const key = keys.find((one) => one.child === path && one.parent === parent?.collection)?.key
      const isChild = (one: JsonRecord): boolean =>
        [one[key ?? '']].flat().some((id) => isId(id) && String(id) === parent?.id)
      const rows = list.items.map((item) => ({ ...byId.get(idOf(item, idField) ?? ''), ...item }))
      const within = parent ? expanded.filter(isChild) : expanded
      const changes = writesTo(path).filter(({ at }) => at > list.at).length
      return [{ list, rows, within, changes }]
    })
    // A nested list can have an order of its own.
    const top = own.filter(({ list }) => !resourcePaths.find(list.segments)?.parent)
    const sort = learnSort(top.length > 0 ? top : own, idField)
    if (sort?.startsWith('-')) {
      const ordered = toCreationOrder(expanded, own, idField)
      const places = new Map(ordered.map((record, at) => [record, at]))
      const placeOf = (id: string): number => places.get(byId.get(id) ?? {}) ?? 0
      const sorted = [...records].toSorted(([a], [b]) => placeOf(a) - placeOf(b))
      records.clear()
      for (const [id, record] of sorted) records.set(id, record)
    }
    const isWhole = total === records.size
    return { path, sort, ...learnFilters({ records: expanded, isWhole, lists: own }) }
  })
}

/** Creates a function that returns the writes at or below the path of a collection. */
function createWrites(
  exchanges: readonly ParsedExchange[],
): (path: string) => readonly ParsedExchange[] {
  const writes = exchanges.filter((one) => one.method !== 'GET' && isSuccess(one))
  return (path) => writes.filter(({ segments }) => `${segments.join('/')}/`.includes(`${path}/`))
}

/** The media type of most errors, if it is not that of other JSON. */
function learnErrorType(exchanges: readonly ParsedExchange[]): string | undefined {
  const types = exchanges.flatMap(({ status, json, headers }) => {
    const type = headerOf(headers, 'Content-Type')
    return status >= 400 && json !== undefined && type !== undefined ? [type] : []
  })
  const type = mostFrequent(types)?.[0].replace(/\s*;.*$/, '')
  return type === undefined || /^application\/json$/i.test(type) ? undefined : type
}

function toListOptions(
  all: readonly LearnedLists[],
  nameOf: (path: string) => string,
): LearnedOption[] {
  return all.flatMap(({ path: collection, sort, filters, counts }): LearnedOption[] => {
    const name = nameOf(collection)
    const used = Object.entries(counts).map(([filter, count]) => `${filter} (${count})`)
    const evidence = `the records of lists agree: ${used.join(', ')}`
    const path = ['resources', name]
    const order = 'lists without an order have this one'
    const hasFilters = Object.keys(filters).length > 0
    return [
      ...(sort === undefined ? [] : [{ path: [...path, 'sort'], value: sort, evidence: order }]),
      ...(hasFilters ? [{ path: [...path, 'filters'], value: filters, evidence }] : []),
    ]
  })
}

function toFilterQuestions(
  all: readonly LearnedLists[],
  nameOf: (path: string) => string,
): Question[] {
  return all.flatMap(({ path, unknown }) =>
    Object.entries(unknown).map(([parameter, list]) => {
      const search = list.query.map((pair) => pair.join('=')).join('&')
      return {
        text: `GET ${list.path}?${search}: no field explains "${parameter}", so that only its recorded answers have it.`,
        option: `"resources": { "${nameOf(path)}": { "filters": { "${parameter}": "…" } } }`,
      }
    }),
  )
}

function linkAll(merged: readonly MergedCollection[]): RelatedKey[] {
  const byPath = new Map(merged.map((one) => [one.path, one]))
  const idOf = (parent: string, id: string): Json | undefined => {
    const collection = byPath.get(parent)
    return collection?.records.get(id)?.record[collection.idField]
  }
  return merged.flatMap(({ path, records, hasLocalIds }) =>
    hasLocalIds
      ? []
      : linkParents(path, [...records.values()], idOf).map((one) => ({ child: path, ...one })),
  )
}

/** Whether only paths of other collections name a collection, so that there are no records for a fixture. */
function isUnknown(
  { records }: MergedCollection,
  surveyed: SurveyedCollection | undefined,
): boolean {
  return records.size === 0 && surveyed?.lists.some(({ parent }) => !parent) !== true
}

function isFirstOfPath(
  { path }: LearnedOption,
  at: number,
  all: readonly LearnedOption[],
): boolean {
  const key = JSON.stringify(path)
  return all.findIndex((one) => JSON.stringify(one.path) === key) === at
}

function toQuestions(
  merged: readonly MergedCollection[],
  { collections, withoutId }: Survey,
  nameOf: (path: string) => string,
): Question[] {
  const questions: Question[] = []
  for (const { path, idField, records, total, hasLocalIds } of merged) {
    const name = nameOf(path)
    if (idField !== 'id' && idField !== '_id' && collections.get(path)?.idField.paths === 0) {
      questions.push({
        text: `The records of ${name} are identified by "${idField}", which no path confirms.`,
        option: `"resources": { "${name}": { "id": "${idField}" } }`,
      })
    }
    if (total !== undefined && total > records.size) {
      questions.push({
        text: `${name} has ${total} records, of which ${records.size} were seen. Please request the other pages.`,
        option: '',
      })
    }
    if (hasLocalIds) {
      questions.push({
        text: `Records of ${name} below different parents have the same id. Nested lists are recorded answers.`,
        option: '',
      })
    }
  }
  for (const path of withoutId) {
    questions.push({
      text: `The records of ${nameOf(path)} have no id, so that its lists are recorded answers.`,
      option: `"resources": { "${baseName(nameOf(path))}": { "id": "…" } }`,
    })
  }
  return questions
}

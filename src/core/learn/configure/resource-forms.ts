import { baseName } from '../../text/foreign-keys.ts'
import { escapeTemplate } from './text-template.ts'
import { fill, toLookup } from '../../text/template.ts'
import { listVariables, singularName } from '../../dialects/rest-names/variables.ts'
import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import {
  type Envelopes,
  type ExchangeGroups,
  findUnlisted,
  groupBy,
  type KnownResource,
  type KnownResources,
  toEnvelopes,
  toListEnvelopes,
  toOwnWrites,
  toRecordKeys,
} from './envelopes.ts'
import { formOf, mostFrequent, type RecordedList } from './list-template.ts'
import { nextPageOf } from '../recognize/pages.ts'
import { numberOf } from '../recognize/parameters.ts'
import { toPages } from './pages.ts'

/** Learns the envelopes and pages that most resources have, and those of each resource that differs. */
export function learnForms(groups: ExchangeGroups, resources: KnownResources): LearnedForms {
  const { all, nameOf, isField } = resources
  const details: Record<string, string> = {}
  const lists = groupBy(groups.lists, nameOf)
  const members = groupBy(groups.members, nameOf)
  const writes = groupBy(groups.writes, nameOf)
  const usual = findUsual(groups.lists, lists, nameOf)
  const envelopes = toEnvelopes({ ...groups, lists: usual }, details)
  const pages = toPages(usual)
  if (pages) details['pages'] = 'the pages of lists whose requests say no size'
  const usualKey = mostFrequent(toRecordKeys(groups.members))?.[0] ?? ''
  const rows = all.map((resource): [string, JsonRecord] => {
    const { name, idField, record, hidden = [] } = resource
    if (idField === undefined) return [name, record === undefined ? {} : { record }]
    const own: ExchangeGroups = {
      lists: lists.get(name) ?? [],
      nested: [],
      members: members.get(name) ?? [],
      writes: writes.get(name) ?? [],
    }
    const unlisted = findUnlisted(own.lists, own.members, idField).filter(isField)
    return [
      name,
      {
        ...toOwnEnvelopes(own, envelopes, usualKey, pages),
        ...(hidden.length > 0 && { hidden: [...hidden] }),
        ...(unlisted.length > 0 && { unlisted }),
        ...toItem(resource),
      },
    ]
  })
  rows.push(
    ...learnNested(groups.nested, { envelopes, pages, own: Object.fromEntries(rows) }, resources),
  )
  const named = Object.fromEntries(rows)
  for (const [name, view] of resources.views) {
    // The records of a view are under the name of their collection.
    const list = named[view]?.['list'] ?? envelopes['list']
    if (isRecord(list) && '$resource' in list) rows.push([name, { list: renamed(list, view) }])
  }
  const own = Object.fromEntries(rows.filter(([, options]) => Object.keys(options).length > 0))
  return toSingleForms({ envelopes, pages, own, details }, [...new Set(usual.map(nameOf))])
}

/** Returns the envelope of lists with the name of a resource in place of the variable. */
function renamed(list: JsonRecord, name: string): JsonRecord {
  const key = escapeTemplate(baseName(name))
  const entries = Object.entries(list)
  return Object.fromEntries(entries.map(([one, value]) => [one === '$resource' ? key : one, value]))
}

/** Gives an envelope with the name of a resource, as in `articlesCount`, to the resource, if all other lists share another. */
function toSingleForms(forms: LearnedForms, names: readonly (string | undefined)[]): LearnedForms {
  const [name, another] = names
  const others = Object.entries(forms.own).filter(([, { list }]) => list !== undefined)
  const [[, { list, page }] = ['', {} as JsonRecord]] = others
  const isShared = others.every(([, one]) => isSame([one['list'], one['page']], [list, page]))
  if (name === undefined || another !== undefined || list === undefined || !isShared) return forms
  const { list: ownList, page: ownPage, ...envelopes } = forms.envelopes
  const word = singularName(name)
  const isNamed = isRecord(ownList) && Object.keys(ownList).some((key) => key.startsWith(word))
  if (!isNamed) return forms
  const own = { ...forms.own }
  for (const [other, { list: _list, page: _page, ...rest }] of others) {
    own[other] = rest
    if (Object.keys(rest).length === 0) delete own[other]
  }
  const usual = {
    ...(ownList !== undefined && { list: ownList }),
    ...(ownPage !== undefined && { page: ownPage }),
  }
  own[name] = { ...own[name], ...usual }
  const { list: evidence = '', ...details } = forms.details
  return {
    ...forms,
    envelopes: {
      ...(list !== '$items' && { list }),
      ...(page !== undefined && { page }),
      ...envelopes,
    },
    own,
    details: {
      ...details,
      ...(list !== '$items' && { list: evidence && 'other lists have this envelope' }),
    },
  }
}

/** Learns the forms of nested lists that differ from the form of their resource: `users/:id/posts`. */
function learnNested(
  nested: readonly RecordedList[],
  { envelopes, pages, own }: Pick<LearnedForms, 'envelopes' | 'pages' | 'own'>,
  { nestedNameOf }: KnownResources,
): [name: string, options: JsonRecord][] {
  const byPath = groupBy(nested, nestedNameOf)
  return [...byPath].map(([path, lists]) => {
    const ofResource = own[path.slice(path.indexOf('/:id/') + 5)] ?? {}
    const { list, page = list } = ofResource
    const general = list === undefined ? envelopes : { list, page: page ?? list }
    const generalPages = { ...pages, ...(ofResource['pages'] as JsonRecord | undefined) }
    return [path, toListOptions(lists, general, generalPages)]
  })
}

/** The result of {@link learnForms}. */
export interface LearnedForms {
  envelopes: Envelopes
  pages: JsonRecord | undefined
  /** The option `resources` of `rest`. */
  own: Record<string, JsonRecord>
  /** The evidence of each option. */
  details: Record<string, string>
}

/** Returns the lists of the resources whose envelope most lists have. */
function findUsual(
  all: readonly RecordedList[],
  byName: ReadonlyMap<string, readonly RecordedList[]>,
  nameOf: KnownResources['nameOf'],
): RecordedList[] {
  const forms = new Map([...byName].map(([name, lists]) => [name, formOf(lists)]))
  const ofList = (list: RecordedList): string => forms.get(nameOf(list) ?? '') ?? ''
  const form = mostFrequent(all.map(ofList))?.[0]
  return all.filter((list) => ofList(list) === form)
}

function toOwnEnvelopes(
  own: ExchangeGroups,
  general: Envelopes,
  usualKey: string,
  generalPages: JsonRecord | undefined,
): JsonRecord {
  const options = toListOptions(own.lists, general, generalPages)
  const keys = toRecordKeys(own.members)
  const isOther = keys.length > 0 && !keys.includes(usualKey)
  const record = isOther ? (toEnvelopes(own, {})['record'] ?? '$record') : undefined
  if (record !== undefined) options['record'] = record
  return { ...options, ...toOwnWrites(own.writes, general, record) }
}

/** Returns the envelopes and pages of lists that the general ones do not explain. */
function toListOptions(
  lists: readonly RecordedList[],
  general: Envelopes,
  generalPages: JsonRecord | undefined,
): JsonRecord {
  const pages = toPages(lists)
  const options: JsonRecord = {}
  const isPaged = lists.some(({ isPage, page }) => isPage || page.limit !== undefined)
  const isLinked = lists.some((list) => nextPageOf(list) !== undefined)
  const learned = toListEnvelopes(lists, {})
  const isExplained =
    lists.every((list) => explains(general, generalPages, list)) ||
    isSame([learned['list'], learned['page']], [general['list'], general['page']])
  if (!isExplained) {
    options['list'] = learned['list'] ?? '$items'
    if (learned['page'] !== undefined) options['page'] = learned['page']
  }
  const ownPages = {
    ...(generalPages?.['always'] === true && !isExplained && !isPaged && { always: false }),
    ...(pages?.['always'] === true && pages['size'] !== generalPages?.['size'] && pages),
    ...toOrdinal(lists, generalPages),
    ...(pages &&
      isLinked &&
      pages['sizeInLinks'] !== generalPages?.['sizeInLinks'] && {
        sizeInLinks: pages['sizeInLinks'] === true,
      }),
    ...(pages?.['by'] !== undefined && pages['by'] !== generalPages?.['by'] && pages),
  }
  if (Object.keys(ownPages).length > 0) options['pages'] = ownPages
  return options
}

/** Pages by number where other resources have other pages. */
function toOrdinal(
  lists: readonly RecordedList[],
  general: JsonRecord | undefined,
): JsonRecord | undefined {
  const isNumbered = lists.some(({ query }) => numberOf(query, 'page') !== undefined)
  return isNumbered && general?.['by'] !== undefined ? { by: 'number' } : undefined
}

/** Whether the envelope that most lists have gives a list with the same members. */
function explains(
  { list = '$items', page = list }: Envelopes,
  pages: JsonRecord | undefined,
  recorded: RecordedList,
): boolean {
  const isPage = recorded.isPage || pages?.['always'] === true
  const filled = fill(isPage ? page : list, toLookup(listVariables, recorded.page))
  return isAlike(filled, recorded.json)
}

/** Compares members and numbers; texts are links and cursors, which differ. */
function isAlike(found: unknown, wanted: Json | undefined): boolean {
  if (typeof wanted === 'string') return typeof found === 'string' || found === null
  if (!isRecord(wanted)) return isSame(found, wanted)
  if (!isRecord(found)) return false
  const keys = Object.keys(wanted)
  return (
    keys.length === Object.keys(found).length &&
    keys.every((key) => isAlike(found[key], wanted[key]))
  )
}

function toItem({ links }: KnownResource): JsonRecord {
  return links === undefined ? {} : { item: { '...': '$record', ...links } }
}

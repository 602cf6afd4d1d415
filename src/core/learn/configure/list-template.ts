import type { PageFacts } from '../../dialects/rest-names/facts.ts'
import { listVariables } from '../../dialects/rest-names/variables.ts'
import type { Variable } from '../../text/template.ts'
import { isRecord, isSame, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { headerOf } from '../../http/contract/messages.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { findList } from '../recognize/envelope.ts'
import { offsetOf } from '../recognize/extract-records.ts'
import {
  nextCursorOf,
  nextPageOf,
  pagesIn,
  sizeIn,
  totalNames,
  totalOf,
} from '../recognize/pages.ts'
import { numberOf, roleOf } from '../recognize/parameters.ts'
import {
  escapeTemplate,
  type TextSample,
  toLiteral,
  toRequestFacts,
  toTextTemplate,
} from './text-template.ts'

/**
 * Creates the template of an envelope that several lists have, for an option of `rest`: the records become
 * `$items`; a member becomes the variable that has its value in every list; other values stay if all lists have them.
 */
export function toTemplate(lists: readonly RecordedList[]): Json {
  const [first] = lists
  if (!first) return '$items'
  const learned = build(
    lists.map((list): Sample => [withNameKey(list.json, list.keys, list.name), list]),
    first.keys.map((key) => (key === first.name ? nameKey : key)),
    '',
  )
  return learned ?? '$items'
}

/** By letters in lower case; several variables can have the same value, so that the name decides among them. */
export const usualNames: readonly (readonly [names: RegExp, variable: string])[] = [
  [/^first(?:page)?(?:url|link)?$/, 'first'],
  [/^last(?:page)?(?:url|link)?$/, 'last'],
  [/^prev(?:ious)?(?:page)?(?:url|link)?$/, 'prev'],
  [/^(?:next|odatanextlink)(?:page)?(?:url|link)?$/, 'next'],
  [/^self$/, 'self'],
  [/^path$/, 'path'],
  [/^next(?:page)?(?:cursor|token)$/, 'nextCursor'],
  [/^has(?:next|more)(?:pages?)?$/, 'hasNext'],
  [/^hasprev(?:ious)?(?:pages?)?$/, 'hasPrev'],
  [/^lastpage$/, 'lastPage'],
  [/^totalpages?$|^pages$|^(?:page|last)count$|^numpages$/, 'pages'],
  [/^(?:current)?page(?:number|index|no)?$|^number$/, 'page'],
  [/^(?:per|page)(?:page|size)$|^(?:limit|size|take|pagelimit)$/, 'limit'],
  [/^(?:limit|size|take)$/, 'count'],
  [/^(?:offset|skip|start)$/, 'offset'],
  [/^from$/, 'from'],
  [/^to$/, 'to'],
  [/^next(?:page)?$/, 'nextPage'],
  [/^prev(?:ious)?(?:page)?$/, 'prevPage'],
  [/^(?:page)?(?:count|items|length)$|^numberofelements$/, 'count'],
  [totalNames, 'total'],
  [/(?:count|total)$/, 'total'],
  [totalNames, 'counted'],
  [/^count$/, 'counted'],
]

/** Stands for the name of the collection among the keys that lead to the records. */
const nameKey = '\0name'

function withNameKey(json: Json, [key, ...rest]: Path, name: string): Json {
  if (key === undefined || !isRecord(json)) return json
  const renamed = key === name ? nameKey : key
  const entries = Object.entries(json).map(([member, value]): [string, Json] =>
    member === key ? [renamed, withNameKey(value, rest, name)] : [member, value],
  )
  return Object.fromEntries(entries)
}

/** The value at one place of an envelope, undefined if the envelope lacks the place, and its list. */
type Sample = readonly [value: Json | undefined, list: RecordedList]

/**
 * Learns the value of one place; undefined for values that change and that no variable explains. `keys` lead from the
 * place to the records, `name` is the key of the place.
 */
function build(samples: readonly Sample[], keys: Path | undefined, name: string): Json | undefined {
  if (keys?.length === 0) return '$items'
  const present = samples.filter(([value]) => value !== undefined)
  const values = present.flatMap(([value]) => (value === undefined ? [] : [value]))
  if (values.every(isRecord)) return buildMembers(present, keys, name)
  return (
    toVariable(samples, name) ??
    toVariable(present, name) ??
    // One answer in five may be an exception, which is a recorded answer.
    toVariable(present, name, present.length / 5) ??
    toNamed(present) ??
    toConstant(values) ??
    toExplanation(present)
  )
}

function buildMembers(
  samples: readonly Sample[],
  keys: Path | undefined,
  name: string,
): Json | undefined {
  const objects = samples.map(([value]) => value as JsonRecord)
  const members = [...new Set(objects.flatMap(Object.keys))].flatMap((key): [string, Json][] => {
    const inner = samples.map(([, list], at): Sample => [ownValue(objects[at] ?? {}, key), list])
    // HAL has links as objects: `{ next: { href } }`.
    const word = key === 'href' ? name : key
    const learned = build(inner, key === keys?.[0] ? keys.slice(1) : undefined, word)
    return learned === undefined ? [] : [[toKey(key, inner), learned]]
  })
  const isUnexplained = members.length === 0 && objects.some((one) => Object.keys(one).length > 0)
  return isUnexplained ? undefined : Object.fromEntries(members)
}

function toKey(key: string, samples: readonly Sample[]): string {
  if (key === nameKey) return '$resource'
  const escaped = escapeTemplate(key)
  return samples.some(([value]) => value === undefined) ? `${escaped}?` : escaped
}

function toVariable(samples: readonly Sample[], name: string, exceptions = 0): string | undefined {
  const letters = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  const fits = (variable: string): boolean => {
    const row = listVariables.find((one) => one.name === variable)
    const fitting = row ? samples.filter((one) => hasValue(row, one)) : []
    const isShown = exceptions === 0 || fitting.some(([value]) => value !== null)
    return row !== undefined && isShown && samples.length - fitting.length <= exceptions
  }
  const found = usualNames.find(([names, variable]) => names.test(letters) && fits(variable))
  return found && `$${found[1]}`
}

/** A missing member is null. Links and cursors are those of the API, and only known to be texts. */
function hasValue(variable: Variable<PageFacts>, [value = null, { page }]: Sample): boolean {
  const computed = variable.value(page)
  if (value !== null && typeof value !== 'string') return isSame(computed, value)
  return computed === null || typeof computed === 'string'
}

function toNamed(samples: readonly Sample[]): string | undefined {
  const texts = samples.flatMap(([value, { page }]): TextSample[] =>
    typeof value === 'string' ? [[value, page]] : [],
  )
  return texts.length === 0 || texts.length < samples.length ? undefined : toTextTemplate(texts)
}

function toConstant(values: readonly Json[]): Json | undefined {
  const [first, ...others] = values
  const isConstant = first !== undefined && others.every((value) => isSame(value, first))
  return isConstant && !isUrlLike(first) ? toLiteral(first) : undefined
}

/** Returns the variable that has each of the values, whatever the key. Only values that change show it. */
function toExplanation(samples: readonly Sample[]): string | undefined {
  const isPlain = samples.every(([value]) => value === null || typeof value !== 'object')
  const found = listVariables.find(
    ({ value }) => isPlain && samples.every(([wanted, { page }]) => isSame(value(page), wanted)),
  )
  return found && `$${found.name}`
}

function isUrlLike(value: Json): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value)
}

/** Finds the lists in responses, each with the facts from which the variables of its template are computed. */
export function toLists(exchanges: readonly ParsedExchange[]): RecordedList[] {
  const firstNumber = exchanges.some(({ query }) => numberOf(query, 'page') === 0) ? 0 : 1
  const found = exchanges.flatMap((exchange) => {
    const { json, segments } = exchange
    const name = segments.at(-1) ?? ''
    const list = findList(json, name)
    return list && json !== undefined ? [{ ...exchange, json, name, ...list }] : []
  })
  const sizes = toPageSizes(found)
  const isCounted = statesCounts(found)
  return found.map((list): RecordedList => {
    const { name, query, items } = list
    const count = items.length
    const limit =
      (isCounted ? numberOf(query, 'limit') : limitOf(list)) ??
      (isPage(query) || isPart(list) ? sizes.get(name) : undefined)
    const known = offsetOf(query, { first: firstNumber, size: limit ?? sizes.get(name) ?? count })
    const offset = known ?? 0
    // The number of pages says as much of a total as links and page numbers need.
    const pages = pagesIn(list.json) ?? 0
    const isLast = limit === undefined || pages <= Math.floor(offset / limit) + 1
    const total = totalOf(list, count) ?? (isLast ? offset + count : pages * limit)
    const hasNext = offset + count < total || isFollowed(list)
    const asked = query.find(([key, value]) => roleOf(key, value) === 'count')?.[1]
    const page: PageFacts = {
      ...toRequestFacts(list, name),
      items,
      count,
      total,
      isCounted: asked !== undefined && asked !== 'false',
      style: undefined,
      offset,
      limit,
      firstNumber,
      links: {
        first: anyUrl,
        last: anyUrl,
        prev: offset > 0 ? anyUrl : null,
        next: hasNext ? anyUrl : null,
      },
      nextCursor: null,
      urlOf: () => anyUrl,
    }
    return { ...list, page, offset: known, isPage: isPage(query) }
  })
}

/** Stands for a URL of the mock. */
const anyUrl = '/'

/** The size of the page: as the response or, if it does not exceed what the response has, the request says. */
function limitOf({ query, json, items }: Listed): number | undefined {
  const asked = numberOf(query, 'limit')
  const stated = sizeIn(json)
  if (asked === undefined) return stated
  return stated === items.length && stated < asked ? stated : asked
}

/** Whether responses state the number of their records where a request asks for a size. */
function statesCounts(lists: readonly Listed[]): boolean {
  const stated = lists.filter(({ json }) => sizeIn(json) !== undefined)
  const isCount = stated.every(({ json, items }) => sizeIn(json) === items.length)
  const isEnd = (list: Listed): boolean => {
    const { query, items } = list
    const asked = numberOf(query, 'limit') ?? 0
    const end = (numberOf(query, 'start') ?? 0) + items.length
    return items.length < asked && end === totalOf(list, items.length)
  }
  return isCount && stated.some(isEnd)
}

/** Whether there are other records than those of the response. */
function isPart(list: Listed): boolean {
  const { length } = list.items
  return isFollowed(list) || (totalOf(list, length) ?? 0) > length
}

function isFollowed(list: Listed): boolean {
  return nextPageOf(list) !== undefined || nextCursorOf(list.json) !== undefined
}

/** A response with a list of records. */
type Listed = Pick<RecordedList, 'query' | 'json' | 'headers' | 'items' | 'name'>

/** The size of the pages whose requests and responses say none, by name: that of the longest page before another. */
function toPageSizes(lists: readonly Listed[]): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const list of lists) {
    const { name, items } = list
    if (!isPart(list) || numberOf(list.query, 'limit') !== undefined) continue
    sizes.set(name, Math.max(sizes.get(name) ?? 0, items.length))
  }
  return sizes
}

/** A response with a list. */
export interface RecordedList extends ParsedExchange {
  json: Json
  /** The last segment of the path: the name of the collection. */
  name: string
  keys: Path
  items: JsonRecord[]
  page: PageFacts
  /** The index of the first record in the whole list; undefined if the request does not determine it. */
  offset: number | undefined
  isPage: boolean
}

function isPage(query: ParsedExchange['query']): boolean {
  return numberOf(query, 'page') !== undefined || numberOf(query, 'start') !== undefined
}

/** Returns the keys that lead to the records, joined with dots; `$resource` is the collection. */
export function pathOf({ keys, name }: RecordedList): string {
  return keys.map((key) => (key === name ? '$resource' : key)).join('.')
}

/** Returns the form of lists as text: the keys of their envelopes. */
export function formOf(lists: readonly RecordedList[]): string {
  const keys = lists.flatMap(({ json, keys, name }) => keysIn(json, keys, name))
  return JSON.stringify([...new Set(keys)].toSorted())
}

function keysIn(json: Json, [key, ...rest]: Path, name: string): string[] {
  if (!isRecord(json)) return []
  return Object.entries(json).flatMap(([member, value]) => {
    const own = member === key && key === name ? '$resource' : member
    const inner = member === key ? rest : []
    return [own, ...keysIn(value, inner, name).map((below) => `${own}.${below}`)]
  })
}

/** Returns the most frequent text and how often it occurs; of equally frequent texts, the alphabetically first. */
export function mostFrequent(texts: readonly string[]): [text: string, count: number] | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0]
}

/** Learns the headers of lists that `rest` does not send: those in which all lists have the value of a variable. */
export function learnHeaders(lists: readonly RecordedList[]): Record<string, string> | undefined {
  const samples = new Map<string, Sample[]>()
  for (const list of lists) {
    for (const [name, text] of list.headers) {
      const isNew = /^x-/i.test(name) && !/^x-total-count$/i.test(name) && /^\d+$/.test(text)
      if (isNew) addToMultimap(samples, name, [Number(text), list] as const)
    }
  }
  const found = [...samples].flatMap(([name, own]): [string, string][] => {
    const variable = toVariable(own, name.replace(/^x-/i, '')) ?? toExplanation(own)
    return variable === undefined ? [] : [[name, variable]]
  })
  const usual = { 'X-Total-Count': '$total', Link: '$links', Location: '$location' }
  const isSent = ([name]: [string, string]): boolean =>
    name !== 'X-Total-Count' || lists.some(({ headers }) => headerOf(headers, name) !== undefined)
  const others = Object.entries(usual).filter(isSent)
  return found.length === 0 ? undefined : Object.fromEntries([...found, ...others])
}

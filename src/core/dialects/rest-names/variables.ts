import { countOf } from '../../text/count-of.ts'
import { phraseOf } from '../../errors/status.ts'
import { define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Variable } from '../../text/template.ts'
import { baseName } from '../../text/foreign-keys.ts'
import { singularOf } from '../../text/plurals.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type {
  ErrorFacts,
  Fault,
  FaultFacts,
  PageFacts,
  ReasonFacts,
  RecordFacts,
  RequestFacts,
} from './facts.ts'
import { toStyle } from './key-style.ts'
import { encode, toContentRange, toLinkHeader } from '../rest/paging.ts'

/** The schemas that depend on the described resource. */
export interface SchemaParts {
  /** A record in a response, as `item` makes it. */
  record?: JsonSchema
  /** A record of which fields can be left out. */
  part?: JsonSchema
  id?: JsonSchema | undefined
  /** A fault of a field, as the option `fault` makes it. */
  fault?: JsonSchema
}

/** Returns the name of one record of a resource, as `$singular` has it: `blogPost` for `blog_posts`. */
export function singularName(resource: string): string {
  return toStyle(singularOf(baseName(resource)), 'camelCase')
}

/** Returns the name of the class of the records of a resource, as `$model` has it: `BlogPost` for `blog_posts`. */
export function modelName(resource: string): string {
  return toStyle(singularOf(baseName(resource)), 'PascalCase')
}

const count: JsonSchema = { type: 'integer', minimum: 0 }
const optionalCount: JsonSchema = { type: ['integer', 'null'], minimum: 0 }
const url: JsonSchema = { type: 'string', format: 'uri' }
const optionalUrl: JsonSchema = { type: ['string', 'null'], format: 'uri' }
const text: JsonSchema = { type: 'string' }
const optionalText: JsonSchema = { type: ['string', 'null'] }
const flag: JsonSchema = { type: 'boolean' }

/** The variables that name the resource of a request, which the envelopes of requests can have as well. */
export const nameVariables: readonly Variable<Pick<RequestFacts, 'resource'>, SchemaParts>[] = [
  { name: 'resource', value: ({ resource }) => baseName(resource), schema: text },
  { name: 'singular', value: ({ resource }) => singularName(resource), schema: text },
  { name: 'model', value: ({ resource }) => modelName(resource), schema: text },
]

/** The variables of all templates. */
export const requestVariables: readonly Variable<RequestFacts, SchemaParts>[] = [
  ...nameVariables,
  { name: 'method', value: ({ method }) => method, schema: text },
  { name: 'origin', value: ({ origin }) => origin, schema: url },
  { name: 'path', value: ({ origin, path }) => origin + path, schema: url },
  { name: 'route', value: ({ path }) => path.slice(1), schema: text },
  { name: 'self', value: selfOf, schema: url },
]

/** The variables of a list: of the options `list`, `page` and `cursor`. */
export const listVariables: readonly Variable<PageFacts, SchemaParts>[] = [
  {
    name: 'items',
    value: ({ items }) => items,
    schema: ({ record = {} }) => ({ type: 'array', items: record }),
  },
  { name: 'total', value: ({ total }) => total, schema: count },
  {
    name: 'counted',
    value: ({ isCounted, total }) => (isCounted ? total : null),
    schema: optionalCount,
  },
  {
    name: 'countedAll',
    value: ({ isCounted, all, total }) => (isCounted ? (all?.() ?? total) : null),
    schema: optionalCount,
  },
  { name: 'count', value: (page) => page.count, schema: count },
  { name: 'page', value: (page) => indexOf(page) + page.firstNumber, schema: count },
  { name: 'pages', value: pagesOf, schema: count },
  {
    name: 'lastPage',
    value: (page) => Math.max(1, pagesOf(page)) - 1 + page.firstNumber,
    schema: count,
  },
  { name: 'limit', value: ({ limit }) => limit ?? null, schema: optionalCount },
  { name: 'offset', value: ({ offset }) => offset, schema: count },
  {
    name: 'from',
    value: (page) => (page.count > 0 ? page.offset + 1 : null),
    schema: optionalCount,
  },
  {
    name: 'to',
    value: (page) => (page.count > 0 ? page.offset + page.count : null),
    schema: optionalCount,
  },
  { name: 'first', value: ({ links }) => links.first ?? null, schema: optionalUrl },
  { name: 'prev', value: ({ links }) => links.prev ?? null, schema: optionalUrl },
  { name: 'next', value: ({ links }) => links.next ?? null, schema: optionalUrl },
  { name: 'last', value: ({ links }) => links.last ?? null, schema: optionalUrl },
  {
    name: 'nextPage',
    value: (page) => (!page.links.next ? null : indexOf(page) + 1 + page.firstNumber),
    schema: optionalCount,
  },
  {
    name: 'prevPage',
    value: (page) => (!page.links.prev ? null : indexOf(page) - 1 + page.firstNumber),
    schema: optionalCount,
  },
  {
    name: 'firstOfMany',
    value: (page) => (pagesOf(page) > 1 ? (page.links.first ?? null) : null),
    schema: optionalUrl,
  },
  {
    name: 'lastOfMany',
    value: (page) => (pagesOf(page) > 1 ? (page.links.last ?? null) : null),
    schema: optionalUrl,
  },
  { name: 'current', value: (page) => page.urlOf(indexOf(page)), schema: url },
  { name: 'nextCursor', value: ({ nextCursor }) => nextCursor, schema: optionalText },
  { name: 'hasNext', value: ({ links }) => Boolean(links.next), schema: flag },
  { name: 'hasPrev', value: ({ links }) => Boolean(links.prev), schema: flag },
  {
    name: 'numberedLinks',
    value: (page) => numberedLinks({ ...page, index: indexOf(page), pages: pagesOf(page) }),
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['url', 'label', 'active'],
        properties: {
          url: optionalUrl,
          label: text,
          page: { type: ['integer', 'null'] },
          active: flag,
        },
      },
    },
  },
  { name: 'range', value: rangeOf, schema: optionalText },
  {
    name: 'links',
    value: ({ style, links }) => (style === undefined ? null : toLinkHeader(links)),
    schema: optionalText,
  },
  ...requestVariables,
]

/** The variables of a record: of the options `item`, `record`, `created`, `updated` and `removed`. */
export const recordVariables: readonly Variable<RecordFacts, SchemaParts>[] = [
  { name: 'record', value: ({ record }) => record, schema: ({ record = {} }) => record },
  {
    name: 'fields',
    value: ({ fields, idField }) => withoutKey(fields, idField),
    schema: ({ part = {} }) => part,
  },
  {
    name: 'id',
    value: ({ fields, idField }) => ownValue(fields, idField),
    schema: ({ id = {} }) => id,
  },
  { name: 'key', value: ({ fields, idField }) => keyOf(fields, idField), schema: optionalText },
  { name: 'url', value: recordUrlOf, schema: url },
  { name: 'location', value: ({ location }) => location ?? null, schema: optionalText },
  ...requestVariables,
]

const lastSegment: Variable<RequestFacts, SchemaParts> = {
  name: 'id',
  value: lastSegmentOf,
  schema: text,
}

/** The variables of an error: of the options `error`, `invalid`, `errors` and `messages`. */
export const errorVariables: readonly Variable<ErrorFacts, SchemaParts>[] = [
  { name: 'status', value: ({ status }) => status, schema: { type: 'integer' } },
  { name: 'title', value: ({ status }) => phraseOf(status), schema: text },
  { name: 'code', value: ({ code }) => code, schema: text },
  { name: 'reason', value: ({ reason }) => reason, schema: text },
  { name: 'allowed', value: ({ allowed }) => allowed, schema: optionalText },
  { name: 'type', value: ({ type }) => type, schema: optionalText },
  { name: 'detail', value: ({ detail }) => detail, schema: text },
  { name: 'summary', value: ({ faults, detail }) => summaryOf(faults) ?? detail, schema: text },
  { name: 'fault', value: ({ faults, detail }) => faults[0]?.message ?? detail, schema: text },
  {
    name: 'errors',
    value: ({ faults }) => mapOf(faults, (texts) => texts.join('; ')),
    schema: { type: 'object', additionalProperties: text },
  },
  {
    name: 'errorLists',
    value: ({ faults }) => mapOf(faults, (texts) => texts),
    schema: { type: 'object', additionalProperties: { type: 'array', items: text } },
  },
  { name: 'errorTree', value: ({ faults }) => treeOf(faults), schema: { type: 'object' } },
  {
    name: 'faults',
    value: ({ faultBodies }) => faultBodies,
    schema: ({ fault = {} }) => ({ type: 'array', items: fault }),
  },
  {
    name: 'faultsByField',
    value: ({ faults, faultBodies }) =>
      Object.fromEntries(faults.map(({ path }, at) => [path.join('.'), faultBodies[at]])),
    schema: ({ fault = {} }) => ({ type: 'object', additionalProperties: fault }),
  },
  { ...lastSegment, value: missingIdOf },
  ...requestVariables,
  // Recordings are learned by the first variable with a value: `$singular` where both have it.
  { name: 'missing', value: ({ missing }) => singularName(missing), schema: text },
]

const fieldVariables: readonly Variable<{ fault: Pick<Fault, 'path'> }, SchemaParts>[] = [
  { name: 'field', value: ({ fault }) => fault.path.join('.'), schema: text },
  { name: 'name', value: ({ fault }) => fault.path.at(-1) ?? '', schema: text },
  { name: 'keys', value: ({ fault }) => fault.path, schema: { type: 'array', items: text } },
  { name: 'label', value: ({ fault }) => fault.path.join('.').replaceAll('_', ' '), schema: text },
]

/** The variables of the reason of a fault: of the option `reasons`. */
export const reasonVariables: readonly Variable<ReasonFacts, SchemaParts>[] = [
  ...fieldVariables,
  { name: 'reason', value: ({ reason }) => reason, schema: text },
  { name: 'limit', value: ({ limit }) => limit, schema: text },
  { name: 'wild', value: ({ wild }) => wild, schema: text },
]

/** The variables of a fault of a field: of the option `fault`. */
export const faultVariables: readonly Variable<FaultFacts, SchemaParts>[] = [
  ...fieldVariables,
  { name: 'message', value: ({ fault }) => fault.message, schema: text },
  { name: 'code', value: ({ fault }) => fault.code ?? null, schema: optionalText },
  { name: 'value', value: ({ value }) => value, schema: {} },
  lastSegment,
  ...requestVariables,
]

function selfOf({ origin, path, params }: RequestFacts): string {
  const search = params.map((pair) => pair.map(encode).join('=')).join('&')
  return origin + path + (search === '' ? '' : `?${search}`)
}

/** Returns the id behind the name of the resource whose record is missing: 7 in `/posts/7/comments`. */
function missingIdOf(facts: ErrorFacts): string {
  const [, id] = facts.path.split(`/${facts.missing}/`)
  return lastSegmentOf(id === undefined ? facts : { ...facts, path: id.replace(/\/.*/, '') })
}

function lastSegmentOf({ path }: RequestFacts): string {
  const segment = path.split('/').findLast((one) => one !== '') ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the number of the page, from 0. */
function indexOf({ offset, limit }: PageFacts): number {
  return limit === undefined ? 0 : Math.floor(offset / limit)
}

function pagesOf({ total, limit }: PageFacts): number {
  return limit === undefined ? Number(total > 0) : Math.ceil(total / limit)
}

function rangeOf(page: PageFacts): string | null {
  return page.style === undefined || page.style === 'cursor' ? null : toContentRange(page)
}

function recordUrlOf({ fields, idField, collectionUrl, origin, path }: RecordFacts): string {
  if (collectionUrl === undefined) return origin + path
  const key = keyOf(fields, idField)
  return key === null ? collectionUrl : `${collectionUrl}/${encodeURIComponent(key)}`
}

/** Returns the id as text; null for a record without an id. */
function keyOf(fields: JsonRecord, idField: string): string | null {
  const id = ownValue(fields, idField)
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null
}

function withoutKey(record: JsonRecord, key: string): JsonRecord {
  const { [key]: _, ...others } = record
  return others
}

/** Returns the first message, and how many others there are. */
function summaryOf(faults: readonly Fault[]): string | undefined {
  const [first, ...others] = faults
  if (!first || others.length === 0) return first?.message
  return `${first.message} (and ${countOf(others.length, 'more error')})`
}

function mapOf(faults: readonly Fault[], join: (texts: string[]) => Json): Record<string, unknown> {
  const messages = new Map<string, string[]>()
  for (const { path, message } of faults) addToMultimap(messages, path.join('.'), message)
  return Object.fromEntries(Array.from(messages, ([name, texts]) => [name, join(texts)]))
}

/** Returns the messages of each field, nested as the fields are. */
function treeOf(faults: readonly Fault[]): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  for (const { path, message } of faults) {
    let level = tree
    for (const step of path.slice(0, -1)) {
      const inner = ownValue(level, step)
      const next: Record<string, unknown> = isRecord(inner) ? inner : {}
      define(level, step, next)
      level = next
    }
    const name = path.at(-1) ?? ''
    const known = ownValue(level, name)
    define(level, name, Array.isArray(known) ? [...(known as unknown[]), message] : [message])
  }
  return tree
}

/** The links of a paginator (`meta.links` of Laravel): previous page, pages around and at the ends, next page. */
function numberedLinks(page: PageFacts & { index: number; pages: number }): NumberedLink[] {
  const { index, pages, links, firstNumber, urlOf } = page
  const last = Math.max(1, pages) - 1
  const toLink = (at: number): NumberedLink => ({
    url: urlOf(at),
    label: String(at + firstNumber),
    page: at + firstNumber,
    active: at === index,
  })
  const gap: NumberedLink = { url: null, label: '...', active: false }
  const shown = shownPages(index, last)
  const pageLinks = shown.flatMap((at, place) => {
    const before = shown[place - 1]
    return before !== undefined && at - before > 1 ? [gap, toLink(at)] : [toLink(at)]
  })
  return [
    {
      url: links.prev ?? null,
      label: '&laquo; Previous',
      page: links.prev ? index - 1 + firstNumber : null,
      active: false,
    },
    ...pageLinks,
    {
      url: links.next ?? null,
      label: 'Next &raquo;',
      page: links.next ? index + 1 + firstNumber : null,
      active: false,
    },
  ]
}

interface NumberedLink {
  url: string | null
  label: string
  page?: number | null
  active: boolean
}

/** The number of pages on either side of the current page. */
const SIDE = 3

/** Returns the indexes of the pages that a paginator shows, in ascending order. */
function shownPages(index: number, last: number): number[] {
  if (last + 1 < SIDE * 2 + 8) return range(0, last)
  const window = SIDE + 4
  if (index < window) return [...range(0, window + SIDE - 1), last - 1, last]
  if (index > last - window) return [0, 1, ...range(last - (window + SIDE - 1), last)]
  return [0, 1, ...range(index - SIDE, index + SIDE), last - 1, last]
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

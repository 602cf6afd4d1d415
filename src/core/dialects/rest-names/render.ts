import {
  fill,
  type Lookup,
  namesOf,
  type Template,
  toLookup,
  toText,
  variablesOf,
} from '../../text/template.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Answer, RecordAction, RenderContext, Result } from '../contract/dialect.ts'
import { toPageLinks } from '../rest/paging.ts'
import { ignoredHeader } from '../rest/render.ts'
import { splitParams } from '../rest/spelling.ts'

import { unknownPage } from './page-numbers.ts'
import { type PageFacts, type RecordFacts, toRequestFacts } from './facts.ts'
import type { Settings } from './settings.ts'
import { listVariables, nameVariables, recordVariables } from './variables.ts'

/** Renders the result of an action by the templates of the options, such as `list` and `record`. */
export function render(result: Result, context: RenderContext, rendering: Rendering): Answer {
  const { settings } = rendering
  if (result.type === 'list') return renderList(result, context, rendering)
  if ('isList' in result) {
    const { value: items } = result
    const list: List = { type: 'list', records: [], total: items.length, asked: anyList }
    const lookup = toLookup(listVariables, toPageFacts(list, items, context, settings))
    return toAnswer(200, fill(settings.list, lookup), none, context, settings)
  }
  if (result.type === 'document') return toAnswer(200, result.value, none, context, settings)
  if (result.type === 'records') {
    const { records } = result
    const list: List = { type: 'list', records, total: records.length, asked: anyList }
    const value = fill(settings.list, listLookup(list, context, rendering))
    return toAnswer(settings.statuses?.['created'] ?? 201, value, none, context, settings)
  }
  const { action, record, location, form } = result
  const lookup = recordLookup(record, context, rendering, location)
  const { template, name, empty } = { ...forms[action](settings), ...form }
  const full = action === 'created' ? 201 : 200
  const usual = template === null ? empty : full
  const named = form ? form.status : ownValue(settings.statuses ?? {}, name)
  const value = template === null ? undefined : fill(template, lookup)
  return toAnswer(named ?? usual, value, lookup, context, settings)
}

/** The request of a list that is no page. */
const anyList = { query: {}, ignored: [] }

/** The options with their defaults, and the conversion of the names of fields to those of the wire. */
export interface Rendering {
  settings: Settings
  toWire(field: string): string
}

/** The template of an action, its name in `statuses`, and its status without a body. */
type Form = (settings: Settings) => { template: Template; name: string; empty: number }

const updated: Form = (settings) => ({ template: settings.updated, name: 'updated', empty: 204 })

const forms: Readonly<Record<RecordAction, Form>> = {
  read: ({ record }) => ({ template: record, name: 'read', empty: 204 }),
  created: (settings) => ({ template: settings.created, name: 'created', empty: 201 }),
  replaced: updated,
  patched: updated,
  removed: (settings) => ({ template: settings.removed, name: 'removed', empty: 204 }),
}

function renderList(list: List, context: RenderContext, rendering: Rendering): Answer {
  const { settings } = rendering
  const { first, beyond } = settings.pages
  const { paging, query } = list.asked
  const isBeyond = paging?.style === 'page' && paging.page > 1 && list.records.length === 0
  if (isBeyond && (query.slice?.start ?? 0) >= list.total && beyond === 'missing') {
    throw unknownPage(paging.page - 1 + first)
  }
  // A request that selects fields gets them.
  const unlisted = query.fields ? [] : settings.unlisted
  const lookup = listLookup(list, context, rendering, unlisted)
  return toAnswer(200, fill(formOf(list, context, settings), lookup), lookup, context, settings)
}

function listLookup(
  list: List,
  context: RenderContext,
  rendering: Rendering,
  unlisted: readonly string[] = [],
): Lookup {
  const { settings, toWire } = rendering
  const { item } = settings
  const hidden = [...settings.hidden, ...unlisted].map(toWire)
  const toFacts = createRecordFacts(context, rendering)
  const toItem = (record: JsonRecord): unknown =>
    fill(item, toLookup(recordVariables, toFacts(withoutFields(record, hidden))))
  // A list of plain records is the list that the query returned, whose JSON may be in a cache.
  const isPlain = item === '$record' && hidden.length === 0
  const items = isPlain ? list.records : list.records.map(toItem)
  return toLookup(listVariables, toPageFacts(list, items, context, settings))
}

function toPageFacts(
  list: List,
  items: readonly unknown[],
  context: RenderContext,
  settings: Settings,
): PageFacts {
  const { total, asked } = list
  const { paging, query, split = splitParams(context.params, settings) } = asked
  const counted = split.last('count') ?? 'false'
  return {
    ...toRequestFacts(context),
    ...toPageLinks({ ...list, asked: { ...asked, split } }, context, settings),
    items,
    count: items.length,
    total,
    all: list.all,
    isCounted: counted !== 'false' && counted !== '0',
    style: paging?.style,
    offset: query.slice?.start ?? 0,
    limit: paging && paging.size > 0 ? paging.size : undefined,
    firstNumber: settings.pages.first,
  }
}

type List = Extract<Result, { type: 'list' }>

function withoutFields(record: JsonRecord, names: readonly string[]): JsonRecord {
  if (names.length === 0) return record
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

/** Returns the template of a list: that of a page only if the request asks for a page by number or index. */
function formOf({ asked }: List, { params }: RenderContext, settings: Settings): Template {
  const style = asked.paging?.style
  if (style === 'cursor') return settings.cursor
  const { known } = asked.split ?? splitParams(params, settings)
  if (style === 'range' && (known['start'] ?? known['end'] ?? settings.pages.always)) {
    return settings.range
  }
  return style === 'page' || settings.pages.always ? settings.page : settings.list
}

/** Renders a record inside of another response by the template `item`, unless it needs the request. */
export function renderEmbedded(
  given: JsonRecord,
  { name, idField }: { name: string; idField: string },
  { settings: { item, hidden }, toWire }: Rendering,
): JsonRecord {
  const record = withoutFields(given, hidden.map(toWire))
  if (item === '$record') return record
  const request = { resource: name, method: '', origin: '', path: '', params: [] }
  const facts = { ...request, record, fields: record, idField: toWire(idField) }
  const known = ['record', 'fields', 'id', 'key', ...namesOf(nameVariables)]
  if (variablesOf(item).some((one) => !known.includes(one.split('.', 1)[0] ?? ''))) return record
  const filled = fill(item, toLookup(recordVariables, { ...facts, collectionUrl: undefined }))
  return isRecord(filled) ? filled : record
}

function recordLookup(
  record: JsonRecord,
  context: RenderContext,
  rendering: Rendering,
  location: string | undefined,
): Lookup {
  const { settings, toWire } = rendering
  const { item, hidden } = settings
  const fields = withoutFields(record, hidden.map(toWire))
  const facts: RecordFacts = {
    ...createRecordFacts(context, rendering)(fields),
    location: location === undefined ? undefined : context.origin + location,
  }
  if (item === '$record') return toLookup(recordVariables, facts)
  const filled = fill(item, toLookup(recordVariables, { ...facts, location: undefined }))
  return toLookup(recordVariables, { ...facts, record: filled })
}

function createRecordFacts(
  context: RenderContext,
  { toWire }: Rendering,
): (fields: JsonRecord) => RecordFacts {
  const request = toRequestFacts(context)
  const { target, origin, service } = context
  const idField = toWire(target?.resource.idField ?? 'id')
  const segments = encodeURIComponent(target?.resource.name ?? '').replaceAll('%2F', '/')
  const path = `${service?.base ?? ''}/${segments}`
  const collectionUrl = target && origin + (context.toClientUrl?.(path) ?? path)
  return (fields) => ({ ...request, record: fields, fields, idField, collectionUrl })
}

/** The lookup of a response without variables. */
const none: Lookup = () => undefined

function toAnswer(
  status: number,
  value: unknown,
  lookup: Lookup,
  context: RenderContext,
  settings: Settings,
): Answer {
  const { headers, type } = settings
  const own = Object.entries(headers).flatMap(([name, template]): Answer['headers'] => {
    const hasAll = variablesOf(template).every((one) => (lookup(one) ?? null) !== null)
    return hasAll ? [[name, toText(template, lookup)]] : []
  })
  return {
    status,
    headers: [...own, ...ignoredHeader(context)],
    value,
    ...(type !== undefined && { type }),
  }
}

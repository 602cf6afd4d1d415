import { recordVariables, singularName } from '../../dialects/rest-names/variables.ts'
import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { isMetaKey } from '../recognize/envelope.ts'
import { findWritten } from '../recognize/extract-records.ts'
import { toId } from '../recognize/ids.ts'
import {
  escapeTemplate,
  type TemplateValues,
  toRequestFacts,
  toTemplateOf,
  valuesOf,
} from './text-template.ts'

/**
 * Learns the template of the responses to writes: the record, also in an envelope, becomes `$record`; ids, names and
 * texts of the record become variables; what differs otherwise is left out. Undefined without a write.
 */
export function toWriteTemplate(writes: readonly ParsedExchange[]): Json | undefined {
  const full = writes.filter(({ isEmpty }) => !isEmpty)
  if (writes.length > 0 && full.length * 2 <= writes.length) return null
  const [first, ...others] = full.flatMap((write): Sample[] => {
    const template = templateOf(write)
    return template === undefined ? [] : [{ body: write.json, template }]
  })
  return first && others.reduce(intersect, first).template
}

/** A body, or a part of it, and its template. */
interface Sample {
  body: Json | undefined
  template: Json
}

function templateOf(exchange: ParsedExchange): Json | undefined {
  const { json, method, segments } = exchange
  if (json === undefined) return undefined
  const collection = segments.at(method === 'POST' ? -1 : -2) ?? ''
  const found = findWritten(exchange, collection)
  // `{ "ok": true, "deleted": 7 }` names the removed record.
  const names = Object.keys(found?.record ?? {}).filter((name) => !isMetaKey(name))
  const written = method === 'DELETE' && names.length < 2 ? undefined : found
  if (written && written.key === undefined) return '$record'
  const { key, record = {} } = written ?? {}
  const segment = segments.at(-1) ?? ''
  const id = toId(segment)
  const fields = method === 'POST' ? record : { id, ...record }
  const facts = { ...toRequestFacts(exchange, collection), record, fields, idField: 'id' }
  const texts = Object.entries(record).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value.length > 3 ? [[`$record.${name}`, value]] : [],
  )
  const values: TemplateValues = [
    ...(method === 'POST' ? [] : [['$id', segment] as const]),
    ...texts.filter(([name]) => /^\$record\.[A-Za-z_]\w*$/.test(name)),
    ...valuesOf(recordVariables, { ...facts, collectionUrl: undefined }),
  ]
  if (key === undefined || !isRecord(json)) return toTemplateOf(json, values)
  const { [key]: _record, ...others } = json
  const name = key === singularName(collection) ? '$singular' : escapeTemplate(key)
  return { [name]: '$record', ...(toTemplateOf(others, values) as JsonRecord) }
}

/** Keeps the members that two templates share; equal values with different variables are constants. */
function intersect(left: Sample, right: Sample): Sample {
  if (isSame(left.template, right.template)) return left
  if (left.body !== undefined && isSame(left.body, right.body ?? null)) {
    return { body: left.body, template: toTemplateOf(left.body, []) }
  }
  if (!isRecord(left.template) || !isRecord(right.template)) return left
  const other = right.template
  const members = Object.entries(left.template).flatMap(([key, template]): [string, Json][] => {
    const match = other[key]
    if (match === undefined) return []
    const [one, two] = [left, right].map(({ body }) => (isRecord(body) ? body[key] : undefined))
    const isShared = isSame(template, match) || isSame(one ?? null, two ?? null)
    if (!isShared && !(isRecord(template) && isRecord(match))) return []
    return [[key, intersect({ body: one, template }, { body: two, template: match }).template]]
  })
  return { body: left.body, template: Object.fromEntries(members) }
}

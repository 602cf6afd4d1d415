import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { recordVariables } from '../../dialects/rest-names/variables.ts'
import { toTemplateOf, valuesOf } from '../configure/text-template.ts'
import { idOf, isId } from '../recognize/ids.ts'
import { mentions } from '../recorded/stored-answer.ts'
import type { MergedCollection } from './to-records.ts'

/**
 * Removes the fields that hold URLs of the API, such as `_links` of HAL, and returns them as a template, with which the
 * mock makes them for every record: of the record's own URL or path, and of those that end with one of its fields. A
 * field stays if its URLs name something else.
 */
export function extractLinks(collection: MergedCollection, origin: string): JsonRecord | undefined {
  const records = [...collection.records.values()].map(({ record }) => record)
  const [first] = records
  if (!first) return undefined
  const links: Record<string, Json> = {}
  const own = JSON.stringify(`/${collection.path}/${idOf(first, collection.idField)}`)
  const isLink = (value: Json = null): boolean =>
    mentions(value, origin) || JSON.stringify(value).includes(own)
  for (const key of Object.keys(first).filter((name) => isLink(first[name]))) {
    const samples = records.flatMap((record): Sample[] =>
      record[key] === undefined ? [] : [{ value: record[key], record }],
    )
    const template =
      samples.length === records.length ? toLinks(samples, collection, origin) : undefined
    if (template !== undefined) links[key] = template
  }
  for (const key of Object.keys(links)) for (const record of records) delete record[key]
  return Object.keys(links).length > 0 ? links : undefined
}

/** A value of a record that contains URLs. */
interface Sample {
  value: Json
  record: JsonRecord
}

/** The variables that a link can contain, besides fields of the record. */
const linkVariables = recordVariables.filter(({ name }) => name === 'url' || name === 'origin')

function toLinks(
  samples: readonly Sample[],
  collection: MergedCollection,
  origin: string,
): Json | undefined {
  const [first] = samples
  if (!first) return undefined
  const { value, record } = first
  if (isRecord(value)) {
    const keys = Object.keys(value)
    if (!samples.every((one) => isRecord(one.value) && isSame(Object.keys(one.value), keys))) {
      return undefined
    }
    const members = keys.map((key): [string, Json | undefined] => {
      const inner = samples.map((one) => ({
        ...one,
        value: (one.value as JsonRecord)[key] ?? null,
      }))
      return [key, toLinks(inner, collection, origin)]
    })
    return members.some(([, template]) => template === undefined)
      ? undefined
      : (Object.fromEntries(members) as JsonRecord)
  }
  const fields = Object.keys(record).filter((name) => /^\w+$/.test(name) && isId(record[name]))
  for (const field of [undefined, ...fields]) {
    const [template, ...others] = samples.map((one) => toLink(one, field, collection, origin))
    // The path of a single record is no constant.
    const isPath = typeof value === 'string' && value.startsWith('/')
    const isOnly = isPath && others.length === 0 && template === value
    const isShared = others.every((other) => isSame(other, template)) && !isOnly
    if (template !== undefined && isShared && !mentions(template, origin)) return template
  }
  return undefined
}

/** Creates the template of one text, in which the value of a field of the record becomes a variable. */
function toLink(
  { value, record }: Sample,
  field: string | undefined,
  { path, idField }: MergedCollection,
  origin: string,
): Json {
  const collectionUrl = `${origin}/${path.split('/').map(encodeURIComponent).join('/')}`
  const request = { resource: path, method: 'GET', origin, path: '', params: [] }
  const facts = { ...request, record, fields: record, idField, collectionUrl }
  const values = valuesOf(linkVariables, facts)
  const id = field === undefined ? undefined : idOf(record, field)
  const own = id === undefined ? [] : [[`$record.${field}`, id] as const]
  return toTemplateOf(value, [...values, ...own])
}

import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { recordVariables } from '../../dialects/rest-names/variables.ts'
import { toTemplateOf, valuesOf } from '../configure/text-template.ts'
import { mentions } from '../recorded/stored-answer.ts'
import type { MergedCollection } from './to-records.ts'

/**
 * Removes the fields that hold URLs of the record itself, such as `_links` of HAL, and returns them as a template, with
 * which the mock makes them for every record. A field stays if its URLs name other records.
 */
export function extractLinks(collection: MergedCollection, origin: string): JsonRecord | undefined {
  const records = [...collection.records.values()].map(({ record }) => record)
  const [first] = records
  if (!first) return undefined
  const links: Record<string, Json> = {}
  for (const key of Object.keys(first).filter((name) => mentions(first[name], origin))) {
    const [template, ...others] = records.map((record) => toLinks(record, key, collection, origin))
    const isShared = others.every((other) => isSame(other ?? null, template ?? null))
    if (template === undefined || !isShared || mentions(template, origin)) continue
    links[key] = template
    for (const record of records) delete record[key]
  }
  return Object.keys(links).length > 0 ? links : undefined
}

/** The variables that a link to a record can contain. */
const linkVariables = recordVariables.filter(({ name }) => name === 'url')

function toLinks(
  record: JsonRecord,
  key: string,
  { path, idField }: MergedCollection,
  origin: string,
): Json | undefined {
  const value = record[key]
  if (value === undefined || !(isRecord(value) || typeof value === 'string')) return undefined
  const collectionUrl = `${origin}/${path.split('/').map(encodeURIComponent).join('/')}`
  const request = { resource: path, method: 'GET', origin, path: '', params: [] }
  const facts = { ...request, record, fields: record, idField, collectionUrl }
  return toTemplateOf(value, valuesOf(linkVariables, facts))
}

import { useRef } from 'preact/hooks'
import { isSame, ownValue } from '../../core/json/json.ts'
import { findResource, hasBehaviour, revision, type Row } from '../app/state.ts'
import { ask } from '../control.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { askSchema, type Schema, toFields } from './ask-fields.ts'
import type { Field } from './fields.ts'
import { type Relation, askRelations } from './relations.ts'

/** What the mock knows of the records of a collection. */
export interface Description {
  /** The fields; undefined until they are known. */
  fields: Field[] | undefined
  relations: readonly Relation[]
  schema: Schema
}

/**
 * The fields and relations of a collection, which are fetched again when the data changes. The first time they are
 * fetched after the records, as the mock reads all records to describe them.
 */
export function useDescription(name: string, isStarted: boolean): Description {
  const last = useRef(nothing)
  const load = async (): Promise<Description> => {
    const found = isStarted ? await describeCollection(name) : nothing
    // An equal description stays the same object, so that nothing is rendered again.
    if (!isSame(found, last.current)) last.current = found
    return last.current
  }
  return useLoaded(load, [name, isStarted, revision.value]) ?? nothing
}

const nothing: Description = { fields: undefined, relations: [], schema: {} }

/** Fetches the fields of a collection, with their relations. */
export async function describeCollection(name: string): Promise<Description> {
  const [schema, relations, routes] = await Promise.all([
    askSchema(name),
    askRelations(),
    hasBehaviour('files') ? ask<{ resource: string; path: string }[]>('routes') : [],
  ])
  const own = relations.filter(({ from }) => from === name)
  const withRelation = (field: Field, isItem = false): Field => {
    const found = own.find((one) => one.field === field.name)
    const relation = found && isItem ? { ...found, isList: false } : found
    const inner = field.inner?.map((one) => withRelation(one, isItem))
    const item = field.item && !relation && withRelation(field.item, true)
    return {
      ...field,
      ...(relation && { relation }),
      ...(inner && { inner }),
      ...(item && { item }),
    }
  }
  const withFiles = (field: Field): Field => {
    const path = `${findResource(name)?.path}/:id/${encodeURIComponent(field.name)}`
    const isFile = routes.some((one) => one.resource === 'files' && one.path === path)
    return isFile ? { ...field, isFile, isRequired: false } : field
  }
  const fields = toFields(schema)
    .map((one) => withRelation(one))
    .map(withFiles)
  // A field without a file is null or missing, although the files of the other records have URLs.
  const files = new Set(fields.flatMap((field) => (field.isFile ? field.name : [])))
  const properties = Object.entries(schema.properties ?? {}).filter(([key]) => !files.has(key))
  const required = schema.required?.filter((key) => !files.has(key)) ?? []
  return {
    relations,
    fields,
    schema: { ...schema, properties: Object.fromEntries(properties), required },
  }
}

/** Adds the values that a field of texts repeats in the known records, as suggestions for its input. */
export function withSuggestions(fields: readonly Field[], records: readonly Row[]): Field[] {
  return fields.map((field) => {
    if (field.kind !== 'string' || field.format !== '') return field
    const values = records.flatMap((row) => {
      const value = ownValue(row, field.name)
      return typeof value === 'string' && value.length <= 40 ? [value] : []
    })
    const suggestions = [...new Set(values)]
    const areFew = suggestions.length <= 12 && values.length >= suggestions.length * 2
    return areFew ? { ...field, suggestions } : field
  })
}

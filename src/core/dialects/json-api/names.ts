import { baseName } from '../../text/foreign-keys.ts'
import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { singularOf } from '../../text/plurals.ts'

/**
 * Returns the type of the records of a resource, a member name (JSON:API 1.1, "Member Names"): the name without its folder or,
 * if another resource has that name too, the whole name with hyphens.
 */
export function typeOf(resource: string, names: readonly string[]): string {
  if (!resource.includes('/')) return resource
  const own = baseName(resource)
  const isShared = names.some((name) => name !== resource && baseName(name) === own)
  return isShared ? resource.replaceAll('/', '-') : own
}

/** Returns the resource whose records have a type. */
export function resourceOf(type: string, names: readonly string[]): string | undefined {
  return names.find((name) => typeOf(name, names) === type)
}

/**
 * Returns the name of a field on the wire. No field of a resource object may be named `type` or `id` ("Fields"): the
 * field `type` of pets is the attribute `petType`.
 */
export function memberOf(field: string, resource: string): string {
  if (field !== 'type' && field !== 'id') return field
  return `${singularOf(baseName(resource))}${field === 'id' ? 'Id' : 'Type'}`
}

/** Returns the field that a name on the wire stands for; `id` is the id field. */
export function fieldOf(member: string, resource: string, idField: string): string {
  if (member === 'id') return idField
  const reserved = ['type', 'id'].find(
    (one) => one !== idField && memberOf(one, resource) === member,
  )
  return reserved ?? member
}

/** Returns an id as text; an empty text for a value that is no id. */
export function idText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Returns the keys that a record holds in a field of several spellings: an id or a list of ids. */
export function keysIn(record: JsonRecord, spellings: readonly string[]): Json[] {
  return spellings.flatMap((one) => ownValue(record, one) ?? [])
}

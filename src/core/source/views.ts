import { findRecordKey, isListKey, isMetaKey } from '../learn/recognize/envelope.ts'
import type { Part } from '../json/documents.ts'
import { singularOf } from '../text/plurals.ts'
import { type Content, jsonContent, type Operation, readContent } from './document.ts'
import { type Flatten, isArraySchema, isObjectSchema, objectOf } from '../json/flat-schema.ts'

/** What the successful response of an operation shows: the records of a list, a record, or neither. */
export interface View {
  operation: Operation
  status: number
  content: Content | undefined
  kind: 'list' | 'record' | 'none'
  /** The keys that lead from the body to the records or the record. */
  keys: readonly string[]
  /** The schema of a record. */
  record: Part | undefined
  /** The schema of the body. */
  sent: Part | undefined
}

/** Reads what the successful response of an operation shows. */
export function toView(operation: Operation, flatten: Flatten): View {
  const [status, response] = successOf(operation)
  const content = response && jsonContent(readContent(response))
  const bodies = operation.body?.content ?? []
  const form = bodies.find(({ type }) =>
    /^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/.test(type),
  )
  const sent = (jsonContent(bodies) ?? form)?.schema
  const none = {
    operation,
    status,
    content,
    kind: 'none',
    keys: [],
    record: undefined,
    sent,
  } as const
  const schema = content?.schema
  if (!schema) return none
  const name = nameOf(operation)
  const list = findListPart(schema, name, flatten)
  if (list) return { ...none, kind: 'list', keys: list.keys, record: list.part }
  const flat = objectOf(schema, flatten)
  if (!flat || flat.properties.size === 0) return none
  const isObject = (key: string): boolean => {
    const [part] = flat.properties.get(key) ?? []
    const inner = part && objectOf(part, flatten)
    return inner !== undefined && inner.properties.size > 0
  }
  const keys = [...flat.properties.keys()]
  const [only] = keys.length === 1 ? keys.filter(isObject) : []
  const key = findRecordKey(keys, isObject, singularOf(name)) ?? only
  const wrapped = key === undefined ? undefined : fullest(flat.properties.get(key), flatten)
  if (key !== undefined && wrapped) {
    return { ...none, kind: 'record', keys: [key], record: wrapped }
  }
  return { ...none, kind: 'record', record: schema }
}

/** The last segment of a path that is no parameter: `posts` of `/users/{id}/posts`. */
export function nameOf({ segments }: Pick<Operation, 'segments'>): string {
  return segments.findLast(({ names }) => names.length === 0)?.text ?? ''
}

/** The status and the response of success: the lowest 2xx, else the default, else a redirect; 200 without any. */
export function successOf({ responses }: Operation): [status: number, response: Part | undefined] {
  const statuses = [...responses.keys()].toSorted()
  const found =
    statuses.find((status) => /^2\d\d$/.test(status)) ??
    statuses.find((status) => status === '2xx') ??
    statuses.find((status) => status === 'default') ??
    statuses.find((status) => /^[13]\d\d$/.test(status))
  if (found === undefined) return [200, undefined]
  const status = found === 'default' ? 200 : Number(found.replace('xx', '00'))
  return [status, responses.get(found)]
}

interface ListPart {
  keys: readonly string[]
  part: Part
}

function findListPart(
  schema: Part,
  name: string,
  flatten: Flatten,
  depth = 0,
): ListPart | undefined {
  const flat = flatten(schema)
  if (isArraySchema(flat)) {
    const { items } = flat
    return items && objectOf(items, flatten) ? { keys: [], part: items } : undefined
  }
  const envelope = objectOf(schema, flatten)
  if (!envelope) return undefined
  const members = Array.from(envelope.properties, ([key, parts]) => ({
    key,
    part: fullest(parts, flatten),
  }))
  const lists = members.flatMap(({ key, part }) => {
    const inner = part && flatten(part)
    const items = inner && isArraySchema(inner) ? inner.items : undefined
    return items && objectOf(items, flatten) ? [{ key, part: items }] : []
  })
  const best =
    lists.find(({ key }) => key === name) ??
    lists.find(({ key }) => key === 'data') ??
    lists.find(({ key }) => isListKey(key, name)) ??
    (lists.length === 1 ? lists[0] : undefined)
  if (best && isEnvelope(members, best.key, flatten)) return { keys: [best.key], part: best.part }
  if (depth === 2) return undefined
  for (const { key, part } of members) {
    if (!part || !(isListKey(key, name) || key === '_embedded')) continue
    const inner = findListPart(part, name, flatten, depth + 1)
    const isOuter = inner && (key === '_embedded' || isEnvelope(members, key, flatten))
    if (isOuter) return { keys: [key, ...inner.keys], part: inner.part }
  }
  return undefined
}

/** Of the schemas of one member, that whose object or elements have most members: `allOf` makes a general one special. */
function fullest(parts: readonly Part[] = [], flatten: Flatten): Part | undefined {
  const sizeOf = (part: Part): number =>
    objectOf(flatten(part).items ?? part, flatten)?.properties.size ?? 0
  return parts.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]
}

/** The members that a record has, and an envelope has not. */
const identities = /^(?:_?id|uuid|key|slug|name|title|email|created_?at|updated_?at)$/i

function isEnvelope(
  members: readonly { key: string; part: Part | undefined }[],
  listKey: string,
  flatten: Flatten,
): boolean {
  return members.every(({ key, part }) => {
    if (key === listKey || isMetaKey(key) || /^(?:sort|query|filters?)$/i.test(key)) return true
    if (identities.test(key) || /(?:Id|_id)$/.test(key)) return false
    const flat = part && flatten(part)
    return !flat || !(isObjectSchema(flat) || isArraySchema(flat))
  })
}

import { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Changes, Data } from '../contract/dialect.ts'
import type { Body, BodyReader } from './body.ts'
import { isLess, isNil, textOf } from '../shared/js-values.ts'
import { own } from './path.ts'
import type { Place } from './target.ts'
import { findRecord, ok } from './read.ts'
import { dependentsOf, isArrayLike } from './related.ts'

/** A request to write: to what, with which body. */
export interface Asked {
  url: string
  place: Place
  body: BodyReader
  data: Data
}

/** Adds a record, with the id that it brings unless that counts as false; or replaces a singleton. */
export function create({ url, place, body: read, data }: Asked): Changes | undefined {
  const { name } = place
  const kind = data.kindOf(name)
  if (kind !== 'singleton' && kind !== 'collection') return undefined
  const body = scoped(fieldsOf(read()), place)
  if (kind === 'singleton') {
    const answer = created(url)
    return { changes: [{ action: 'replace', name, record: body }], answer }
  }
  const idField = data.idField(name)
  const id = body[idField] || nextId(data.read(name) as readonly JsonRecord[], idField, data)
  const record = { ...body, [idField]: id }
  return { changes: [{ action: 'create', name, record }], answer: created(`${url}/${textOf(id)}`) }
}

/** Puts the body in the place of a record, which keeps its id, or of a singleton. */
export function replace(asked: Asked): Changes | undefined {
  return write(asked, 'replace')
}

/** Puts the fields of the body over those of a record, which keeps its id, or of a singleton. */
export function patch(asked: Asked): Changes | undefined {
  return write(asked, 'patch')
}

/** Deletes a record with those that name it. */
export function remove({ place, data }: Asked): Changes | undefined {
  const record = findRecord(place, data)
  if (!record) return undefined
  const { name } = place
  const idField = data.idField(name)
  const id = textOf(record[idField])
  const dependents = dependentsOf(name, id, data).filter(
    (one) => one.name !== name || one.id !== id,
  )
  return {
    changes: [{ name, id }, ...dependents].map((one) => ({ action: 'remove', ...one })),
    answer: () => ok({}),
  }
}

function write({ place, body, data }: Asked, action: 'replace' | 'patch'): Changes | undefined {
  const { name } = place
  const kind = data.kindOf(name)
  const answer: Changes['answer'] = ([stored]) => ok(stored)
  if (place.id === undefined) {
    if (kind !== 'singleton') return undefined
    const held = action === 'patch' ? (data.read(name) as JsonRecord) : {}
    return { changes: [{ action, name, record: { ...held, ...fieldsOf(body()) } }], answer }
  }
  const held = findRecord(place, data)
  if (!held) return undefined
  const idField = data.idField(name)
  // The elements of a list become fields that are named by their place.
  const fields = Object.fromEntries(Object.entries(body()))
  const id = held[idField] ?? null
  const record = { ...(action === 'patch' ? held : keptByPut(held)), ...fields, [idField]: id }
  return { changes: [{ action, name, id: textOf(id), record }], answer }
}

/** Nothing, unless a `length` makes it look like an array: then only its elements go. */
function keptByPut(record: JsonRecord): JsonRecord {
  if (!isArrayLike(record)) return {}
  const isElement = (key: string): boolean =>
    /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < Number(record['length'])
  return Object.fromEntries(Object.entries(record).filter(([key]) => !isElement(key)))
}

function created(location: string): Changes['answer'] {
  return ([record]) => ({
    ...ok(record),
    status: 201,
    headers: [['Location', encodeUrl(location)]],
  })
}

function scoped(body: JsonRecord, { scope }: Place): JsonRecord {
  return scope ? { ...body, [scope[0]]: scope[1] } : body
}

function fieldsOf(body: Body): JsonRecord {
  if (isRecord(body)) return body
  throw new MockError('Failed to read the body: it is a list. Please send a JSON object.', {
    status: 400,
    code: 'BODY_INVALID',
  })
}

/** One more than the greatest id where that is a number; 1 for the first record; else random text. */
function nextId(records: readonly JsonRecord[], idField: string, data: Data): Json {
  if (records.length === 0) return 1
  let greatest: unknown
  for (const record of records) {
    const id = own(record, idField)
    if (!isNil(id) && (greatest === undefined || isLess(greatest, id))) greatest = id
  }
  return Number.isFinite(greatest) ? Number(greatest) + 1 : randomText(7, data)
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz-'

function randomText(length: number, data: Data): string {
  const letter = (): string => letters.charAt(Math.floor(data.random() * letters.length))
  return Array.from({ length }, letter).join('')
}

/** Escapes what a URL cannot hold, and leaves the escapes that it has. */
function encodeUrl(url: string): string {
  const whole = url.replaceAll(/\p{Surrogate}/gu, '\uFFFD')
  return whole.replaceAll(/[^\u0021\u0023-;=?-_a-z|~]+|%(?![\da-f]{2})/gi, encodeURI)
}

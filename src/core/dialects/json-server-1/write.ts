import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Random } from '../../time/random.ts'
import type { Change, Data } from '../contract/dialect.ts'
import { valuesOf } from './list.ts'
import { keyTo, recordsOf } from './related.ts'

/**
 * The input of `create`, `replace`, `patch` and `remove`, which handle the writing methods of json-server 1: the
 * resource or record to write, the JSON body, the query string with its question mark, and the data of the mock.
 */
export interface WriteRequest {
  name: string
  /** The id of a record; missing for a resource. */
  id?: string
  body: JsonRecord
  search: string
  data: Data
}

/** Adds a record with a random id; ignores an id in the body. */
export function create({ name, id, body, data }: WriteRequest): Change[] | undefined {
  if (id !== undefined || data.kindOf(name) !== 'collection') return undefined
  const record = { ...body, [data.idField(name)]: randomId(() => data.random()) }
  return [{ action: 'create', name, record }]
}

/** Replaces a record, which keeps its id, or a singleton. */
export function replace(asked: WriteRequest): Change[] | undefined {
  return write(asked, 'replace')
}

/** Merges the body into a record, which keeps its id, or into a singleton. */
export function patch(asked: WriteRequest): Change[] | undefined {
  return write(asked, 'patch')
}

function write(
  { name, id, body, data }: WriteRequest,
  action: 'replace' | 'patch',
): Change[] | undefined {
  if (id === undefined) {
    const stored = data.read(name)
    if (!isRecord(stored)) return undefined
    return [{ action, name, record: action === 'patch' ? { ...stored, ...body } : body }]
  }
  const stored = data.find(name, id)
  if (!stored) return undefined
  const base = action === 'patch' ? stored : {}
  return [{ action, name, id, record: { ...base, ...body, [data.idField(name)]: id } }]
}

/**
 * Deletes a record. Foreign keys that reference the record become null; records of the collections in
 * `_dependent` are deleted instead.
 */
export function remove({ name, id, search, data }: WriteRequest): Change[] | undefined {
  if (id === undefined || !data.find(name, id)) return undefined
  const dependents = valuesOf(search, '_dependent')
  const others = data.names().filter((each) => each !== name)
  const changes = others.flatMap((other) => {
    const isDependent = dependents.includes(other)
    const key = keyTo(name, other, data)
    return (recordsOf(other, data) ?? []).flatMap((record): Change[] => {
      const reference = ownValue(record, key)
      const child = String(ownValue(record, data.idField(other)) as string | number)
      if (isDependent && (reference === id || reference === null))
        return [{ action: 'remove', name: other, id: child }]
      if (reference !== id) return []
      return [{ action: 'patch', name: other, id: child, record: { ...record, [key]: null } }]
    })
  })
  return [{ action: 'remove', name, id }, ...changes]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Draws a random id: eight bytes as base64url (RFC 4648 §5); the last letter encodes only four bits. */
export function randomId(random: Random): string {
  const letter = (step: number): string => letters.charAt(Math.floor((random() * 64) / step) * step)
  return Array.from({ length: 11 }, (_, at) => letter(at === 10 ? 4 : 1)).join('')
}

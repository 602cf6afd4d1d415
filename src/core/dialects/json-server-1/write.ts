import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Random } from '../../time/random.ts'
import type { Change, Data } from '../contract/dialect.ts'
import { valuesOf } from './list.ts'
import { keyTo, recordsOf } from './related.ts'

/** A request to write: to what, with which body. */
export interface Asked {
  name: string
  /** Of a record; a resource has none. */
  id?: string
  body: JsonRecord
  search: string
  data: Data
}

/** Adds a record under a random id, whatever id it brings. */
export function create({ name, id, body, data }: Asked): Change[] | undefined {
  if (id !== undefined || data.kindOf(name) !== 'collection') return undefined
  const record = { ...body, [data.idField(name)]: randomId(() => data.random()) }
  return [{ action: 'create', name, record }]
}

/** Puts the body in the place of a record, which keeps its id, or of a singleton. */
export function replace(asked: Asked): Change[] | undefined {
  return write(asked, 'replace')
}

/** Puts the fields of the body over those of a record, which keeps its id, or of a singleton. */
export function patch(asked: Asked): Change[] | undefined {
  return write(asked, 'patch')
}

function write({ name, id, body, data }: Asked, action: 'replace' | 'patch'): Change[] | undefined {
  if (id === undefined) {
    const held = data.read(name)
    if (!isRecord(held)) return undefined
    return [{ action, name, record: action === 'patch' ? { ...held, ...body } : body }]
  }
  const held = data.find(name, id)
  if (!held) return undefined
  const kept = action === 'patch' ? held : {}
  return [{ action, name, id, record: { ...kept, ...body, [data.idField(name)]: id } }]
}

/** Deletes a record; keys that name it become null, and what has such a key may be named to go too. */
export function remove({ name, id, search, data }: Asked): Change[] | undefined {
  if (id === undefined || !data.find(name, id)) return undefined
  const dependents = valuesOf(search, '_dependent')
  const key = keyTo(name)
  const others = data.names().filter((each) => each !== name)
  const changes = others.flatMap((other) => {
    const goes = dependents.includes(other)
    return (recordsOf(other, data) ?? []).flatMap((record): Change[] => {
      const held = ownValue(record, key)
      const child = String(ownValue(record, data.idField(other)) as string | number)
      if (goes && (held === id || held === null))
        return [{ action: 'remove', name: other, id: child }]
      if (held !== id) return []
      return [{ action: 'patch', name: other, id: child, record: { ...record, [key]: null } }]
    })
  })
  return [{ action: 'remove', name, id }, ...changes]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** A random id: eight bytes as base64url (RFC 4648 §5), whose last letter stands for four bits. */
export function randomId(random: Random): string {
  const letter = (step: number): string => letters.charAt(Math.floor((random() * 64) / step) * step)
  return Array.from({ length: 11 }, (_, at) => letter(at === 10 ? 4 : 1)).join('')
}

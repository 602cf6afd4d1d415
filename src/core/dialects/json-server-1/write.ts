import { isRecord, type JsonRecord, ownValue } from '../../json.ts'
import type { Random } from '../../random.ts'
import type { Change, Data } from '../dialect.ts'
import { keyTo, recordsOf } from './related.ts'

/** Adds a record under a random id, whatever id it brings. */
export function create(name: string, body: JsonRecord, data: Data): Change[] | undefined {
  if (data.kindOf(name) !== 'collection') return undefined
  return [
    {
      action: 'create',
      name,
      record: { ...body, [data.idField(name)]: randomId(() => data.random()) },
    },
  ]
}

/** Puts the body in the place of a record, which keeps its id, or over its fields. */
export function update(
  name: string,
  id: string,
  body: JsonRecord,
  isPatch: boolean,
  data: Data,
): Change[] | undefined {
  const held = data.kindOf(name) === 'collection' ? data.find(name, id) : undefined
  if (!held) return undefined
  const idField = data.idField(name)
  if (isPatch) return [{ action: 'patch', name, id, record: { ...held, ...body, [idField]: id } }]
  return [{ action: 'replace', name, id, record: { ...body, [idField]: id } }]
}

/** Puts the body in the place of a singleton, or over its fields. */
export function updateSingle(
  name: string,
  body: JsonRecord,
  isPatch: boolean,
  data: Data,
): Change[] | undefined {
  const held = data.kindOf(name) === 'singleton' ? data.read(name) : undefined
  if (!isRecord(held)) return undefined
  if (isPatch) return [{ action: 'patch', name, record: { ...held, ...body } }]
  return [{ action: 'replace', name, record: body }]
}

/** Deletes a record; keys that name it become null, and what has such a key may be named to go too. */
export function remove(
  name: string,
  id: string,
  dependents: readonly string[],
  data: Data,
): Change[] | undefined {
  if (data.kindOf(name) !== 'collection' || !data.find(name, id)) return undefined
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

import type { LearnedOption } from '../learned.ts'
import { isSuccess } from '../parse-exchange.ts'
import { scalarText } from '../../json/scalar-text.ts'
import type { WriteSample } from './write-samples.ts'

/** Learns the field with the owner of a record: users write records that have their id, and others are refused (403). */
export function learnOwners(writes: readonly WriteSample[], viewers: readonly string[]): Owner[] {
  const names = new Set(writes.map(({ name }) => name))
  return [...names].flatMap((name): Owner[] => {
    const samples = writes.flatMap((one) => {
      const { kind, before, after, exchange } = one
      const record = kind === 'create' ? after : kind === 'action' ? undefined : before
      const user = viewers[exchange.viewer ?? -1]
      return one.name === name && record && user !== undefined ? [{ record, user, exchange }] : []
    })
    const refused = samples.filter(({ exchange }) => exchange.status === 403)
    const accepted = samples.filter(({ exchange }) => isSuccess(exchange))
    const isOwn = ({ record, user }: (typeof samples)[number], field: string): boolean =>
      [record[field]].flat().some((id) => scalarText(id) === user)
    const key = Object.keys(refused[0]?.record ?? {}).find(
      (field) =>
        accepted.length > 0 &&
        accepted.every((one) => isOwn(one, field)) &&
        // A write of an own record can be refused for another reason.
        refused.filter((one) => isOwn(one, field)).length * 2 < refused.length,
    )
    if (key === undefined) return []
    const count = refused.filter((one) => !isOwn(one, key)).length
    const evidence = `${count} ${count === 1 ? 'write' : 'writes'} of another user's record had a 403`
    const value = { key, read: 'all' }
    return [{ name, key, option: { path: ['resources', name, 'owners'], value, evidence } }]
  })
}

/** The field with the owner of the records of a resource. */
export interface Owner {
  name: string
  key: string
  option: LearnedOption
}

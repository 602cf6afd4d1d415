import { idFieldOf, type IdOption } from '../../core/fixtures/id-field.ts'
import { isRecord, type Json, ownValue } from '../../core/json/json.ts'
import { parentNamed } from '../../core/text/foreign-keys.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { type RelationOptions, toRelation } from '../../core/fixtures/relation-options.ts'
import { diagnose } from './diagnose.ts'
import { firstOfEach, type Problem } from './problem.ts'
import { keysTo, readText, type LoadedFile } from '../read/read-file.ts'

/** Warns of foreign keys that refer to no record: of each value once, and only of the first values of a field. */
export async function findDanglingKeys(
  files: readonly LoadedFile[],
  { id, relations = {}, foreignKeySuffix }: KeyOptions,
): Promise<Diagnostic[]> {
  const collections = new Map<string, readonly Json[]>()
  for (const { scenario, drafts, kind } of files) {
    if (scenario !== undefined || kind === 'types') continue
    for (const { name, value } of drafts) {
      if (Array.isArray(value)) collections.set(name, value)
    }
  }
  const ids = new Map<string, ReadonlySet<string> | undefined>()
  const idsOf = (name: string): ReadonlySet<string> | undefined => {
    if (!ids.has(name)) ids.set(name, toIds(collections.get(name) ?? [], idFieldOf(id, name)))
    return ids.get(name)
  }
  const names = [...collections.keys()]
  const diagnostics: Diagnostic[] = []
  for (const file of files) {
    if (file.scenario !== undefined) continue
    const problems = file.drafts.flatMap((draft) => {
      const { name } = draft
      const configured = Object.entries(ownValue(relations, name) ?? {}).map(([key, option]) => {
        const { to } = toRelation(option)
        return [key, collections.has(to) ? to : undefined] as const
      })
      const parents = new Map([...configured, [idFieldOf(id, name), undefined]])
      const parentOf = (key: string): string | undefined => {
        if (!parents.has(key)) parents.set(key, parentNamed(key, name, names, foreignKeySuffix))
        return parents.get(key)
      }
      return findIn(collections.get(name) ?? [], keysTo(file, draft), idsOf, parentOf)
    })
    if (problems.length > 0) diagnostics.push(...diagnose(file, problems, await readText(file)))
  }
  return diagnostics
}

/** The options that say which fields are ids and foreign keys. */
export interface KeyOptions {
  /** The field that holds a record's id. @default 'id' */
  id?: IdOption | undefined
  /** Relations that cannot be inferred from the names of keys. */
  relations?: RelationOptions | undefined
  /** The suffix of foreign keys. @default 'Id', 'ID' and '_id' */
  foreignKeySuffix?: string | undefined
}

function findIn(
  records: readonly Json[],
  root: readonly string[],
  idsOf: (name: string) => ReadonlySet<string> | undefined,
  parentOf: (key: string) => string | undefined,
): Problem[] {
  const missing = new Map<string, MissingParent>()
  for (const [index, record] of records.entries()) {
    if (!isRecord(record)) continue
    for (const key of Object.keys(record)) {
      const parent = parentOf(key)
      const ids = parent === undefined ? undefined : idsOf(parent)
      if (parent === undefined || !ids) continue
      for (const value of danglingValues(record[key], ids)) {
        const path = [...root, index, key]
        const found = missing.get(`${key} ${value}`) ?? { key, value, path, parent, count: 0 }
        found.count++
        missing.set(`${key} ${value}`, found)
      }
    }
  }
  return toProblems(missing.values())
}

/** A value of a foreign key for which the parent collection has no record. */
interface MissingParent {
  key: string
  /** The value as JSON. */
  value: string
  /** The path to the first record with the value. */
  path: Problem['path']
  parent: string
  /** The number of records with the value. */
  count: number
}

function toProblems(missing: Iterable<MissingParent>): Problem[] {
  const problems = Array.from(missing, ({ key, value, path, parent, count }) => {
    const times = count > 1 ? `, in ${count} records` : ''
    const problem = `"${key}" is ${value}${times}, but "${parent}" has no such record`
    const advice = `Please add the record to "${parent}", or correct or remove the key.`
    return { severity: 'warning' as const, path, problem, advice, key }
  })
  return firstOfEach(problems, ({ key }) => key)
}

/** The values of a foreign key, or of a list of keys, that are not among the ids; as JSON. */
function danglingValues(value: Json | undefined, ids: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => danglingValues(inner, ids))
  if (typeof value !== 'string' && typeof value !== 'number') return []
  return ids.has(String(value)) ? [] : [JSON.stringify(value)]
}

/** The ids of a collection; undefined if the store has yet to assign the id of a record. */
function toIds(records: readonly Json[], field: string): ReadonlySet<string> | undefined {
  const ids = new Set<string>()
  for (const record of records) {
    const id = isRecord(record) ? record[field] : undefined
    if (typeof id !== 'string' && typeof id !== 'number') return undefined
    ids.add(String(id))
  }
  return ids
}

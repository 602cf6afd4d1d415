import { idFieldOf, type IdOption } from '../../core/fixtures/id-field.ts'
import { isRecord, type Json, ownValue } from '../../core/json/json.ts'
import { parentNamed } from '../../core/text/foreign-keys.ts'
import type { Diagnostic, Source } from '../../core/fixtures/source.ts'
import { type RelationOptions, toRelation } from '../../core/fixtures/relation-options.ts'
import { diagnose } from './diagnose.ts'
import { keysTo, readText, type LoadedFile } from '../read/read-file.ts'
import type { Problem } from './shape.ts'

/**
 * Finds parent keys that lead to no record: a `postId` of 99 where `posts` has no 99. A key is one only
 * where the collection exists that it is named after, or that a relation says. Each is a warning, once
 * for a value and at most ten times for a key.
 */
export async function findDangling(
  files: readonly LoadedFile[],
  id?: IdOption,
  relations: RelationOptions = {},
): Promise<Diagnostic[]> {
  const collections = new Map<string, readonly Json[]>()
  for (const { scenario, drafts } of files) {
    if (scenario !== undefined) continue
    for (const { name, value } of drafts) {
      if (Array.isArray(value)) collections.set(name, value)
    }
  }
  const ids = new Map<string, ReadonlySet<string> | undefined>()
  const idsOf = (name: string): ReadonlySet<string> | undefined => {
    if (!ids.has(name)) ids.set(name, toIds(collections.get(name) ?? [], idFieldOf(id, name)))
    return ids.get(name)
  }
  const diagnostics: Diagnostic[] = []
  for (const file of files) {
    if (file.scenario !== undefined) continue
    const problems = file.drafts.flatMap((draft) => {
      const { name } = draft
      const known = Object.entries(ownValue(relations, name) ?? {}).map(([key, option]) => {
        const { to } = toRelation(option)
        return [key, collections.has(to) ? to : undefined] as const
      })
      const parents = new Map([...known, [idFieldOf(id, name), undefined]])
      return findIn(draft, keysTo(file, draft), collections, idsOf, parents)
    })
    if (problems.length > 0) diagnostics.push(...diagnose(file, problems, await readText(file)))
  }
  return diagnostics
}

const MOST = 10

function findIn(
  source: Source,
  root: readonly string[],
  collections: ReadonlyMap<string, readonly Json[]>,
  idsOf: (name: string) => ReadonlySet<string> | undefined,
  parents: Map<string, string | undefined>,
): Problem[] {
  const names = [...collections.keys()]
  const missing = new Map<string, { path: Problem['path']; parent: string; count: number }>()
  for (const [index, record] of (collections.get(source.name) ?? []).entries()) {
    if (!isRecord(record)) continue
    for (const key of Object.keys(record)) {
      if (!parents.has(key)) parents.set(key, parentNamed(key, source.name, names))
      const parent = parents.get(key)
      const known = parent === undefined ? undefined : idsOf(parent)
      if (parent === undefined || !known) continue
      for (const value of danglingValues(record[key], known)) {
        const found = missing.get(`${key} ${value}`) ?? {
          path: [...root, index, key],
          parent,
          count: 0,
        }
        found.count++
        missing.set(`${key} ${value}`, found)
      }
    }
  }
  return toProblems(missing)
}

function toProblems(
  missing: ReadonlyMap<string, { path: Problem['path']; parent: string; count: number }>,
): Problem[] {
  const problems: Problem[] = []
  const perKey = new Map<string, number>()
  for (const [words, { path, parent, count }] of missing) {
    const key = words.slice(0, words.indexOf(' '))
    const value = words.slice(key.length + 1)
    const said = (perKey.get(key) ?? 0) + 1
    perKey.set(key, said)
    if (said > MOST) continue
    const more = count > 1 ? ` (in ${count} records)` : ''
    const problem = `"${key}" is ${value}, but "${parent}" has no such record${more}`
    const advice = `Please add the record to "${parent}", or correct or remove the key.`
    problems.push({ severity: 'warning', path, problem, advice })
  }
  return problems
}

function danglingValues(value: Json | undefined, known: ReadonlySet<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => danglingValues(inner, known))
  if (typeof value !== 'string' && typeof value !== 'number') return []
  return known.has(String(value)) ? [] : [JSON.stringify(value)]
}

/** The ids of a collection, or undefined where some record gets its id only later. */
function toIds(records: readonly Json[], field: string): ReadonlySet<string> | undefined {
  const ids = new Set<string>()
  for (const record of records) {
    const id = isRecord(record) ? record[field] : undefined
    if (typeof id !== 'string' && typeof id !== 'number') return undefined
    ids.add(String(id))
  }
  return ids
}

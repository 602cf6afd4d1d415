import { define, isRecord, isSame, type Json, type JsonRecord } from '../../core/json/json.ts'

/**
 * A change inside a record, in a journal: sets or removes the value at a path of keys and indexes, or
 * replaces elements of the list at the path.
 */
export interface Edit {
  at: (string | number)[]
  /** The new value; undefined if the edit removes the member or replaces elements. */
  to?: Json
  /** The index of the first replaced element. */
  from?: number
  /** How many elements are removed at the index. */
  drop?: number
  /** The elements that are inserted at the index. */
  add?: Json[]
}

/**
 * The edits that turn one record into another; undefined if the record has to be replaced as a whole, because
 * new members are not at its end. The order of the other members does not count.
 */
export function diff(before: JsonRecord, after: JsonRecord): Edit[] | undefined {
  const edits: Edit[] = []
  addEdits(before, after, [], edits)
  return edits.some(({ at, from }) => at.length === 0 && from === undefined) ? undefined : edits
}

/**
 * A changed copy of a value. The copy shares the unchanged parts with the value.
 * @throws Error for an edit at a path that the value does not have
 */
export function applyEdits(value: Json, edits: readonly Edit[]): Json {
  return edits.reduce((changed, edit) => applyAt(changed, edit, 0), value)
}

function addEdits(before: Json, after: Json, at: Edit['at'], edits: Edit[]): void {
  if (isSame(before, after)) return
  if (isRecord(before) && isRecord(after) && isOrdered(before, after)) {
    for (const key of Object.keys(before)) {
      if (!Object.hasOwn(after, key)) edits.push({ at: [...at, key] })
    }
    for (const key of Object.keys(after)) {
      const to = after[key] ?? null
      if (!Object.hasOwn(before, key)) edits.push({ at: [...at, key], to })
      else addEdits(before[key] ?? null, to, [...at, key], edits)
    }
  } else if (Array.isArray(before) && Array.isArray(after)) addListEdits(before, after, at, edits)
  else edits.push({ at, to: after })
}

/**
 * Whether the new members follow all members that both records have, where `applyEdits` adds them. Members
 * with an index as key are in the order of their keys in every object.
 */
function isOrdered(before: JsonRecord, after: JsonRecord): boolean {
  const keys = Object.keys(after).filter((key) => !/^\d+$/.test(key))
  const firstNew = keys.findIndex((key) => !Object.hasOwn(before, key))
  return firstNew === -1 || keys.slice(firstNew).every((key) => !Object.hasOwn(before, key))
}

/** Edits the few elements that differ between lists of one length, or replaces all from the first to the last. */
function addListEdits(
  before: readonly Json[],
  after: readonly Json[],
  at: Edit['at'],
  edits: Edit[],
): void {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && isSame(before[start], after[start])) start++
  let tail = 0
  while (tail < shorter - start && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++
  const drop = before.length - tail - start
  const add = after.slice(start, after.length - tail)
  const changed = drop === add.length ? indexesOfChanges(before, add, start) : undefined
  if (!changed) return void edits.push({ at, from: start, drop, add })
  for (const index of changed) {
    addEdits(before[index] ?? null, after[index] ?? null, [...at, index], edits)
  }
}

/** The indexes of the elements that differ; undefined for so many that their paths are longer than the values. */
function indexesOfChanges(
  before: readonly Json[],
  after: readonly Json[],
  start: number,
): number[] | undefined {
  const indexes: number[] = []
  for (const [at, value] of after.entries()) {
    if (isSame(before[start + at], value)) continue
    if (indexes.push(start + at) > MAX_INDEXES) return undefined
  }
  return indexes
}

const MAX_INDEXES = 16

function applyAt(value: Json | undefined, edit: Edit, depth: number): Json {
  const { at, to, from, drop, add } = edit
  if (depth === at.length) {
    if (from === undefined) return to ?? null
    if (!Array.isArray(value) || !add || from + (drop ?? 0) > value.length) throw mismatch(edit)
    return [...value.slice(0, from), ...add, ...value.slice(from + (drop ?? 0))]
  }
  const key = at[depth] ?? ''
  if (Array.isArray(value)) {
    if (typeof key !== 'number' || !(key in value)) throw mismatch(edit)
    return value.with(key, applyAt(value[key], edit, depth + 1))
  }
  if (!isRecord(value)) throw mismatch(edit)
  const copy: JsonRecord = { ...value }
  const name = String(key)
  const isLast = depth + 1 === at.length
  if (!Object.hasOwn(copy, name) && (!isLast || to === undefined)) throw mismatch(edit)
  const isRemoval = isLast && to === undefined && from === undefined
  if (isRemoval) delete copy[name]
  else define(copy, name, applyAt(copy[name], edit, depth + 1))
  return copy
}

function mismatch({ at }: Edit): Error {
  return new Error(`there is no ${JSON.stringify(at)} to change`)
}

import { isSame, type JsonRecord } from '../json/json.ts'
import { idOf } from './records/ids.ts'

/**
 * Merges the records of a changed fixture file with the changes made by requests: three ways, by id, in linear
 * time. A change, creation or deletion on one side is kept. If both sides changed a record differently, or one
 * side changed and the other deleted it, the file wins and the id is a conflict. The order is the order of the
 * file, followed by records that requests created. The inputs stay unchanged. A merged record that equals the
 * record in `ours` is that same object, so that caches by identity stay valid.
 */
export function mergeRecords(
  { base, theirs, ours }: ThreeWay<readonly JsonRecord[]>,
  idField: string,
): MergedRecords {
  const start = countAligned([base, theirs, ours], idField)
  const bases = byId(base.slice(start), idField)
  const mine = byId(ours.slice(start), idField)
  const records: JsonRecord[] = []
  const conflicts: string[] = []
  const inFile = new Set<string>()
  const take = (sides: ThreeWay<JsonRecord | undefined>): void => {
    const { value, isConflict } = mergeOne(sides)
    if (value) records.push(value)
    if (isConflict) conflicts.push(idOf(sides.theirs ?? sides.ours ?? {}, idField) ?? '')
  }
  for (let at = 0; at < start; at++) take({ base: base[at], theirs: theirs[at], ours: ours[at] })
  for (const record of theirs.slice(start)) {
    const id = idOf(record, idField) ?? ''
    inFile.add(id)
    take({ base: bases.get(id), theirs: record, ours: mine.get(id) })
  }
  for (const [id, record] of mine) {
    if (!inFile.has(id)) take({ base: bases.get(id), theirs: undefined, ours: record })
  }
  return { records, conflicts }
}

/** Merges one record or singleton as a whole; undefined means missing. If both sides changed it, the file wins. */
export function mergeOne<T extends JsonRecord | undefined>({
  base,
  theirs,
  ours,
}: ThreeWay<T>): { value: T; isConflict: boolean } {
  if (isSame(theirs, ours) || isSame(theirs, base)) return { value: ours, isConflict: false }
  return { value: theirs, isConflict: !isSame(base, ours) }
}

/** The versions of a value: in the file before (`base`), in the file now (`theirs`), and in the store (`ours`). */
interface ThreeWay<T> {
  base: T
  theirs: T
  ours: T
}

/** The merged records, and the ids of records whose edits by requests were replaced. */
interface MergedRecords {
  records: JsonRecord[]
  conflicts: string[]
}

function byId(records: readonly JsonRecord[], idField: string): Map<string, JsonRecord> {
  return new Map(records.map((record) => [idOf(record, idField) ?? '', record]))
}

/** How many records at the start of all lists have the same ids, so that a reload need not look them up. */
function countAligned(lists: readonly (readonly JsonRecord[])[], field: string): number {
  const [first = [], ...others] = lists
  const isAligned = (record: JsonRecord, at: number): boolean =>
    others.every((list) => {
      const other = list[at]
      return other === record || (other && idOf(other, field) === idOf(record, field))
    })
  const end = first.findIndex((record, at) => !isAligned(record, at))
  return end < 0 ? first.length : end
}

/** Whether two lists have the same objects by identity, in order: a cheap test that nothing has changed. */
export function isSameList(one: readonly object[], other: readonly object[]): boolean {
  if (one === other) return true
  return one.length === other.length && one.every((item, at) => item === other[at])
}

import { isSame, type JsonRecord } from '../../json/json.ts'
import { idOf } from '../records/ids.ts'
import { countInStep } from './alignment.ts'

/** Three states of one thing: in the file last time, in the file now, and as requests left it. */
export interface ThreeWay<T> {
  base: T
  theirs: T
  ours: T
}

/** Records merged, and the ids where the file won over what requests had done. */
export interface MergedRecords {
  records: JsonRecord[]
  conflicts: string[]
}

/**
 * Merges the records of a collection, matched by id, in linear time. What only one side changed, made or
 * deleted is taken from that side. Where both did, and not the same, the file wins and the id is a
 * conflict: a record that one side changed and the other deleted counts as changed by both. The order
 * is the file's, with what requests created behind it. No input is changed, and a record that is equal
 * to ours is ours, so that what is kept about it stays right.
 */
export function mergeRecords(
  { base, theirs, ours }: ThreeWay<readonly JsonRecord[]>,
  idField: string,
): MergedRecords {
  const start = countInStep([base, theirs, ours], idField)
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

/**
 * Merges one record or one singleton as a whole; undefined stands for one that is not there. The file
 * wins where both sides changed it.
 */
export function mergeOne<T extends JsonRecord | undefined>({
  base,
  theirs,
  ours,
}: ThreeWay<T>): { value: T; isConflict: boolean } {
  if (isSame(theirs, ours) || isSame(theirs, base)) return { value: ours, isConflict: false }
  return { value: theirs, isConflict: !isSame(base, ours) }
}

function byId(records: readonly JsonRecord[], idField: string): Map<string, JsonRecord> {
  return new Map(records.map((record) => [idOf(record, idField) ?? '', record]))
}

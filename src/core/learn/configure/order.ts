import type { Json, JsonRecord } from '../../json/json.ts'
import { idOf } from '../recognize/ids.ts'
import { roleOf } from '../recognize/parameters.ts'
import type { RecordedList } from './list-template.ts'

/** A list, its records, and the records that the list can have: of a nested list those of the parent. */
export interface FilteredList {
  list: RecordedList
  rows: readonly JsonRecord[]
  within: readonly JsonRecord[]
  /** The number of later writes, each of which may have added a record to the list or removed one. */
  changes: number
}

/** Finds the order of the lists whose requests name none; undefined for the order of ids, in which records are created. */
export function learnSort(lists: readonly FilteredList[], idField: string): string | undefined {
  const rows = lists
    .filter(({ list }) => list.query.every(([name, value]) => roleOf(name, value) !== 'sort'))
    .map((one) => one.rows)
  const fields = [...new Set(rows.flat().flatMap(Object.keys))]
  const candidates = fields.flatMap((field) => {
    const found = rows.map((one) => directionOf(one, field))
    const direction = found.find(Boolean)
    const isShared = found.every((one) => one === 0 || (one !== undefined && one === direction))
    return isShared && direction !== undefined ? [{ field, direction }] : []
  })
  if (candidates.some(({ field, direction }) => field === idField && direction > 0))
    return undefined
  const rank = (field: string): number =>
    isCreationTime(field) ? 0 : field === idField ? 1 : isTimeName(field) ? 2 : 3
  const [best] = candidates.toSorted((a, b) => rank(a.field) - rank(b.field))
  if (!best) return undefined
  const { field, direction } = best
  // Few records are in the order of some field by chance.
  const steps = rows.map((one) => new Set(one.map((row) => row[field])).size - 1)
  const count = steps.reduce((sum, one) => sum + Math.max(0, one), 0)
  if (count < (rank(field) < 3 ? 2 : 5)) return undefined
  return direction < 0 ? `-${field}` : field
}

/**
 * Returns records as they were created: by ids that are numbers, by times, or from the last of the list to the first.
 * Equal records of sorted lists can show that the API stores them otherwise: then the order stays.
 */
export function toCreationOrder(
  records: readonly JsonRecord[],
  lists: readonly FilteredList[],
  idField: string,
): readonly JsonRecord[] {
  const order = records.toReversed()
  const isNumbered = order.every((record) => /^\d+$/.test(idOf(record, idField) ?? ''))
  const createdAt = Object.keys(order[0] ?? {}).find(isCreationTime)
  const key = isNumbered ? idField : createdAt
  const valueOf = (record: JsonRecord): string | number => {
    const value = key === undefined ? undefined : record[key]
    return isNumbered ? Number(value) : typeof value === 'string' ? value : ''
  }
  if (key !== undefined) {
    order.sort((a, b) => (valueOf(a) < valueOf(b) ? -1 : Number(valueOf(a) > valueOf(b))))
  }
  const ties = lists.flatMap(({ list, rows }) => {
    const [, text] = list.query.find(([name, value]) => roleOf(name, value) === 'sort') ?? []
    const field = /\w+/.exec(text ?? '')?.[0] ?? ''
    const pairs = rows.slice(1).map((row, at) => [rows[at] ?? row, row] as const)
    return pairs.filter(([a, b]) => a[field] !== undefined && a[field] === b[field])
  })
  const keptBy = (all: readonly JsonRecord[]): number => {
    const positions = new Map<Json | undefined, number>(
      all.map((record, at) => [record[idField], at]),
    )
    const placeOf = ({ [idField]: id }: JsonRecord): number => positions.get(id) ?? 0
    return ties.filter(([a, b]) => placeOf(a) < placeOf(b)).length
  }
  return keptBy(records) > keptBy(order) ? records : order
}

/** Whether a field is named like the time at which a record was created. */
function isCreationTime(field: string): boolean {
  return /^(?:created|inserted)/i.test(field)
}

/** Whether a field is named like a time: `createdAt`, `updated_on`. */
export function isTimeName(field: string): boolean {
  return timeNames.test(field)
}

const timeNames =
  /(?:^|_)(?:created|published|posted|updated|modified|date|time)|(?:_at|_on|At|On|Date|Time)$/

/** Returns the order of records by a field, or by the numbers in its texts: 1 for ascending, -1, 0 for equal values. */
export function directionOf(
  rows: readonly JsonRecord[],
  field: string,
  isNumber = false,
): number | undefined {
  let direction = 0
  for (const [at, row] of rows.entries()) {
    const [before, value] = [rows[at - 1]?.[field], row[field]].map((one) =>
      isNumber && typeof one === 'string' && /^-?\d+(?:\.\d+)?$/.test(one) ? Number(one) : one,
    )
    if (isNumber && typeof value !== 'number') return undefined
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    if (at === 0 || before === value) continue
    if (typeof before !== typeof value) return undefined
    const sign = (before ?? '') < value ? 1 : -1
    if (direction === -sign) return undefined
    direction = sign
  }
  return direction
}

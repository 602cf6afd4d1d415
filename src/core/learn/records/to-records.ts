import type { JsonRecord } from '../../json/json.ts'
import { compareTexts } from '../parse-exchange.ts'
import type { ChildRecord } from './link-parents.ts'
import { mergeObservations, toSourceFields } from './merge.ts'
import { type Observation, type ListNote, hasLocalIds, type SurveyedCollection } from './survey.ts'

/** Merges the versions of each record of a collection into one record, and sorts the records as the API does. */
export function toRecords(collection: SurveyedCollection): MergedCollection {
  const { path, idField, lists } = collection
  const isLocal = hasLocalIds(collection)
  const observations = isLocal ? withoutNested(collection.observations) : collection.observations
  const fields = toSourceFields(observations.values())
  const removals = new Map([...collection.removals, ...findMissing(collection)])
  const found = new Map<string, ChildRecord>()
  for (const [id, all] of observations) {
    const removedAt = removals.get(id) ?? -Infinity
    const later = all.filter(({ at }) => at > removedAt)
    if (later.length > 0) {
      found.set(id, { record: mergeObservations(later, fields), observations: later })
    }
  }
  const ids = toOrder(found.keys(), lists)
  const plain = lists.filter(({ isPlain, parent }) => isPlain && !parent)
  return {
    path,
    idField: idField.name,
    records: new Map(ids.map((id) => [id, found.get(id) ?? empty])),
    removed: [...removals.keys()].filter((id) => !found.has(id)).toSorted(),
    total: plain.findLast(({ total }) => total !== undefined)?.total,
    hasLocalIds: isLocal,
  }
}

/** The records of a collection, merged and in order. */
export interface MergedCollection {
  path: string
  idField: string
  /** By id as text, in order. */
  records: Map<string, ChildRecord>
  removed: string[]
  /** The total in the latest list without filter, search or sort. */
  total: number | undefined
  /** Whether records of different parents share ids, so that only top-level lists count. */
  hasLocalIds: boolean
}

const empty: ChildRecord = { record: {}, observations: [] }

function withoutNested(all: ReadonlyMap<string, Observation[]>): Map<string, Observation[]> {
  const top = [...all].map(([id, list]) => [id, list.filter(({ parent }) => !parent)] as const)
  return new Map(top.filter(([, list]) => list.length > 0))
}

function findMissing({ observations, lists }: SurveyedCollection): [id: string, at: number][] {
  const whole = lists.findLast(
    ({ isPlain, parent, offset, total, ids }) =>
      isPlain && !parent && offset === 0 && total === ids.length,
  )
  if (!whole) return []
  const listed = new Set(whole.ids)
  // A list can leave out what only filters find, such as closed issues.
  const isFiltered = ({ source }: Observation): boolean => /^GET collection  \S/.test(source)
  return [...observations].flatMap(([id, all]): [string, number][] => {
    const isEarlier = all.every(({ at, parent }) => at < whole.at && !parent)
    const isGone = !listed.has(id) && isEarlier && !all.every(isFiltered)
    return isGone ? [[id, whole.at]] : []
  })
}

/** Returns the records as a fixture has them. */
export function toFixture({ records }: MergedCollection): JsonRecord[] {
  return [...records.values()].map(({ record }) => record)
}

/** Sorts ids by position in the latest list without filter and sort; ids without a position fill the gaps, ascending. */
export function toOrder(ids: Iterable<string>, lists: readonly ListNote[]): string[] {
  const positions = new Map<string, number>()
  const plain = lists.filter(({ isPlain, parent }) => isPlain && !parent)
  let end = 0
  for (const { ids: listed, offset = end } of plain) {
    listed.forEach((id, at) => positions.set(id, offset + at))
    end = Math.max(end, offset + listed.length)
  }
  const all = [...ids].toSorted(compareIds)
  const others = all.filter((id) => !positions.has(id))
  const order: string[] = []
  for (const id of all.filter((listed) => positions.has(listed)).toSorted(byPosition)) {
    // `others` are the records of pages that were not requested.
    const gap = Math.max(0, (positions.get(id) ?? 0) - order.length)
    order.push(...others.splice(0, gap), id)
  }
  return [...order, ...others]

  function byPosition(a: string, b: string): number {
    return (positions.get(a) ?? 0) - (positions.get(b) ?? 0)
  }
}

function compareIds(left: string, right: string): number {
  const isNumber = /^\d+$/.test(left)
  if (isNumber !== /^\d+$/.test(right)) return isNumber ? -1 : 1
  return (isNumber && Number(left) - Number(right)) || compareTexts(left, right)
}

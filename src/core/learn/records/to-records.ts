import type { JsonRecord } from '../../json/json.ts'
import { mergeObservations, toSourceFields } from './merge.ts'
import type { Observation } from './observation.ts'
import { toOrder } from './order.ts'
import type { ChildRecord } from './link-parents.ts'
import { hasLocalIds, type SurveyedCollection } from './survey.ts'

/**
 * Merges the versions of each record of a collection into one record, and sorts the records as the API does.
 */
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

/** Finds the records that a later list of all records no longer has, with the time of that list. */
function findMissing({ observations, lists }: SurveyedCollection): [id: string, at: number][] {
  const whole = lists.findLast(
    ({ isPlain, parent, offset, total, ids }) =>
      isPlain && !parent && offset === 0 && total === ids.length,
  )
  if (!whole) return []
  const listed = new Set(whole.ids)
  return [...observations].flatMap(([id, all]): [string, number][] => {
    const isGone = !listed.has(id) && all.every(({ at, parent }) => at < whole.at && !parent)
    return isGone ? [[id, whole.at]] : []
  })
}

/** Returns the records as a fixture has them. */
export function toFixture({ records }: MergedCollection): JsonRecord[] {
  return [...records.values()].map(({ record }) => record)
}

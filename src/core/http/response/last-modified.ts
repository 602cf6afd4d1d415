import type { Clock } from '../../time/clock.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Changes } from '../../store/store.ts'

/**
 * Creates the `Last-Modified` of a record (RFC 9110 §8.8.2) from a field such as `updatedAt`; undefined for a
 * time in the future, and if the last update left the field unchanged.
 */
export function createModified(
  changes: Changes,
  clock: Clock,
): (record: JsonRecord) => string | undefined {
  changes.subscribe((change) => {
    if (change.type !== 'updated') return
    const { record, previous } = change
    const time = timeOf(record)
    if (time !== undefined && time === timeOf(previous)) recordsWithStaleTimestamp.add(record)
  })
  return (record) => {
    const time = timeOf(record)
    if (time === undefined || time > clock.now() || recordsWithStaleTimestamp.has(record))
      return undefined
    return new Date(time).toUTCString()
  }
}

/** Records that were changed while their time was not; shared, as forks share records. */
export const recordsWithStaleTimestamp: WeakSet<JsonRecord> = new WeakSet<JsonRecord>()

/** The fields that hold the time of the last change. */
const stamps = 'updatedAt updated_at modifiedAt modified_at lastModified last_modified'.split(' ')

/** The time of the last change that a record holds, in milliseconds since 1970. */
export function timeOf(record: JsonRecord): number | undefined {
  for (const name of stamps) {
    if (!Object.hasOwn(record, name)) continue
    const value = record[name]
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(value)) {
      const time = Date.parse(value)
      if (Number.isFinite(time)) return time
    }
  }
  return undefined
}

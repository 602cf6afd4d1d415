import type { Clock } from '../../time/clock.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Changes } from '../../store/changes.ts'

/**
 * Gives the `Last-Modified` of records that say when they were changed (RFC 9110 §8.8.2): none that
 * lies in the future, and none of a record that was changed since and still says the same.
 */
export function createModified(
  changes: Changes,
  clock: Clock,
): (record: JsonRecord) => string | undefined {
  changes.subscribe((change) => {
    if (change.type !== 'updated') return
    const { record, previous } = change
    const time = timeOf(record)
    if (time !== undefined && time === timeOf(previous)) outdated.add(record)
  })
  return (record) => {
    const time = timeOf(record)
    if (time === undefined || time > clock.now() || outdated.has(record)) return undefined
    return new Date(time).toUTCString()
  }
}

/** The records that were changed and say the same; forks share records. */
const outdated = new WeakSet<JsonRecord>()

/** The fields that say when a record was last changed. */
const stamps = 'updatedAt updated_at modifiedAt modified_at lastModified last_modified'.split(' ')

/** When a record says that it was changed, in milliseconds since 1970. */
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

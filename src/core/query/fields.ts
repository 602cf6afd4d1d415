import { define, isRecord, type Json, type JsonRecord } from '../json/json.ts'
import type { Path } from '../json/path.ts'

/** Makes a copy of a record that holds only what is at the paths; through arrays, in each element. */
export function createPick(paths: readonly Path[]): (record: JsonRecord) => JsonRecord {
  const wanted = toWanted(paths)
  return (record) => pick(record, wanted) as JsonRecord
}

/** What is asked for of a value: all of it, or what is at some keys. */
interface Wanted {
  isWhole?: boolean
  keys: Map<string, Wanted>
}

/** Every path adds but what is new in it, however often others ask for the same. */
function toWanted(paths: readonly Path[]): Wanted {
  const root: Wanted = { keys: new Map() }
  for (const path of paths) {
    let place = root
    for (const key of path) {
      const inner = place.keys.get(key) ?? { keys: new Map() }
      place.keys.set(key, inner)
      place = inner
    }
    place.isWhole = true
  }
  return root
}

function pick(value: Json, wanted: Wanted): Json {
  const { isWhole, keys } = wanted
  if (isWhole) return value
  if (Array.isArray(value)) return value.map((item) => pick(item, wanted))
  if (!isRecord(value)) return value
  const picked: JsonRecord = {}
  const own = Object.keys(value)
  // Whichever are fewer are gone through.
  for (const key of own.length < keys.size ? own : keys.keys()) {
    const inner = keys.get(key)
    if (inner && Object.hasOwn(value, key)) define(picked, key, pick(value[key] ?? null, inner))
  }
  return picked
}

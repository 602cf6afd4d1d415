import { isSuccess, type Reading } from '../parse/parsed-exchange.ts'
import { findRecord } from '../recognize/envelope.ts'
import type { Places } from '../recognize/resource-paths.ts'
import { mostFrequent } from './list-notes.ts'

/** The readings of collections, by what they show. */
export interface Kinds {
  lists: Reading[]
  members: Reading[]
  writes: Reading[]
}

/** Sorts the successful readings of collections by what they show. */
export function toKinds(readings: readonly Reading[], places: Places): Kinds {
  const kinds: Kinds = { lists: [], members: [], writes: [] }
  for (const reading of readings) {
    const place = isSuccess(reading) ? places.find(reading.segments) : undefined
    if (!place) continue
    if (reading.method !== 'GET') kinds.writes.push(reading)
    else kinds[place.kind === 'collection' ? 'lists' : 'members'].push(reading)
  }
  return kinds
}

/** The keys that lead to the record in the responses of members; empty where the response is the record. */
export function memberEnvelope({ members }: Kinds): string[] {
  const paths = members.flatMap(({ json, segments }) => {
    const found = findRecord(json, segments.at(-2))
    return found ? [found.at.join('.')] : []
  })
  return (
    mostFrequent(paths)?.[0]
      .split('.')
      .filter((key) => key !== '') ?? []
  )
}

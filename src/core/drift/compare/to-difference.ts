import type { Json } from '../../json/json.ts'
import { everyAt, type Place, toAnyValue, toElement } from '../../shape/place.ts'
import { type Difference, toPath } from '../difference.ts'
import type { SideResource } from '../side.ts'

/** A resource as both sides show it: the fixtures (`here`), and the other side (`there`). */
export interface Pair {
  here: SideResource
  there: SideResource
}

/** Adds to a difference at a place in records its path, an example, and where the difference was seen. */
export function toDifference(
  pair: Pair,
  difference: PlacedDifference,
  example: Example,
): Difference {
  const { name } = pair.here
  const found = findExample(pair[example.side], example)
  return {
    ...difference,
    resource: name,
    path: toPath(name, difference.place),
    ...(found.value !== undefined && { example: found.value }),
    // Of a field that the other side lacks, the example is from the fixtures.
    seen: example.side === 'there' ? found.seen : seenIn(pair.there),
  }
}

/** A difference at a place in records, in words. */
export interface PlacedDifference extends Pick<
  Difference,
  'kind' | 'here' | 'there' | 'renames' | 'choices'
> {
  place: Place
}

/** Chooses the example of a difference among the values that a side has at a place. */
export interface Example {
  side: 'here' | 'there'
  place: Place
  /** Whether a value shows the difference. @default every value */
  matches?: (value: unknown) => boolean
}

function findExample(
  side: SideResource,
  { place, matches = () => true }: Example,
): { value?: Json; seen: string } {
  for (const { value, seen } of side.sightings) {
    let found: Json | undefined
    const hasNone = everyAt(value, place, 0, (inner) => {
      if (!matches(inner)) return true
      found = inner as Json
      return false
    })
    if (!hasNone && found !== undefined) return { value: found, seen }
  }
  let facts = side.facts
  let seen = facts?.declaredAt
  for (const step of place) {
    if (step === toElement) facts = facts?.items?.()
    else if (step === toAnyValue) facts = facts?.values?.()
    else facts = facts?.fields?.get(step)?.facts()
    seen = facts?.declaredAt ?? seen
  }
  if (seen === undefined) return { seen: seenIn(side) }
  const value = facts?.example
  return { ...(value !== undefined && matches(value) && { value }), seen }
}

function seenIn({ sightings, facts, reads }: SideResource): string {
  return facts?.declaredAt ?? sightings[0]?.seen ?? reads[0]?.seen ?? ''
}

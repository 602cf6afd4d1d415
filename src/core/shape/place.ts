import type { Statistics } from './statistics.ts'

/**
 * A place in the records of a resource, as the keys on the way to it, with `[]` for the elements of an array and
 * `*` for the values of a map: `['items', '[]', 'productId']`. Statistics, schemas and relations name places.
 */
export type Place = readonly string[]

/** The step from an array to its elements. */
export const toElement = '[]'

/** The step from a map to its values. */
export const toAnyValue = '*'

/** Yields all places below a place that hold texts or numbers, with their statistics. */
export function* scalarsIn(
  statistics: Statistics,
  place: Place = [],
): Generator<[place: Place, statistics: Statistics]> {
  const { strings, numbers, arrays, objects } = statistics
  if (strings ?? numbers) yield [place, statistics]
  if (arrays) yield* scalarsIn(arrays.items, [...place, toElement])
  if (objects?.values) yield* scalarsIn(objects.values, [...place, toAnyValue])
  for (const [key, field] of Object.entries(objects?.fields ?? {})) {
    yield* scalarsIn(field, [...place, key])
  }
}

/** Whether a callback returns true for every value at a place, from the step at index `depth` on. */
export function everyAt(
  value: unknown,
  place: Place,
  depth: number,
  callback: (value: unknown) => boolean,
): boolean {
  const step = place[depth]
  if (step === undefined) return callback(value)
  if (typeof value !== 'object' || value === null) return true
  const every = (values: readonly unknown[]): boolean =>
    values.every((inner) => everyAt(inner, place, depth + 1, callback))
  if (Array.isArray(value)) return step !== toElement || every(value)
  if (Object.hasOwn(value, step)) return every([(value as Record<string, unknown>)[step]])
  return step !== toAnyValue || every(Object.values(value))
}

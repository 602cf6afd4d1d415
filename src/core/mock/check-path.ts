import { isKnown } from '../dialects/rest/filter.ts'
import { MockError } from '../errors/mock-error.ts'
import { suggest } from '../errors/nearest.ts'
import { isRecord } from '../json/json.ts'
import { type Path, someAt } from '../json/path.ts'
import type { Collection } from '../store/records/collection.ts'
import type { RecordDescription } from '../types/record-description.ts'

/**
 * Checks that a field in a query of `mock.db` exists: that a record has had the field, or that a behaviour such
 * as `schema` declares it. Accepts every path if the fields are unknown: in a collection without records,
 * inside null, inside an object used as a map.
 * @throws MockError 400 that suggests the nearest field, or lists the known fields
 */
export function checkPath(
  collection: Collection,
  path: Path,
  descriptions: () => readonly RecordDescription[],
): void {
  if (isKnown(path, collection)) return
  const depth = path.findIndex((_, at) => !collection.hasPath(path.slice(0, at + 1)))
  const known = fieldsAt(collection, path.slice(0, depth))
  if (!known || descriptions().some((one) => declares(one, path))) return
  throw new MockError(
    `Failed to find in "${collection.name}": no record has had the field "${path.join('.')}", and no fields() or schema() declares it. ${suggest(path[depth] ?? '', known)}`,
    { status: 400, code: 'QUERY_INVALID' },
  )
}

function declares({ fields = {}, unique = [], names }: RecordDescription, path: Path): boolean {
  const name = path.join('.')
  return Object.hasOwn(fields, name) || unique.flat().includes(name) || names?.(path) === true
}

/** Returns the fields of the objects at a path, in every element of an array; undefined if they are unknown. */
function fieldsAt(collection: Collection, parent: Path): string[] | undefined {
  const objects: string[][] = []
  collection.each((record) => {
    someAt(record, parent, 0, (value) => {
      const keys = isRecord(value) ? Object.keys(value) : []
      if (keys.length > 0 || typeof value !== 'object') objects.push(keys)
      return false
    })
  })
  const known = [...new Set(objects.flat())]
  // If no field is in all objects, the keys are data, as in a map from user ids to votes.
  const isMap = !known.some((name) => objects.every((keys) => keys.includes(name)))
  return objects.length === 0 || (isMap && known.length > 0) ? undefined : known
}

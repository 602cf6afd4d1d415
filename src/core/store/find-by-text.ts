import type { JsonRecord } from '../json/json.ts'
import { recordsByValues } from '../structures/indexes.ts'
import type { Collection } from './records/collection.ts'
import { idValues } from './records/ids.ts'

/** Finds the records whose field is a text, or a number written as the text, by an index that the first call builds. */
export function findByText(collection: Collection, field: string, text: string): JsonRecord[] {
  const { indexes, idField } = collection
  if (field === idField) return [collection.get(text)].filter((record) => record !== undefined)
  const [found = []] = recordsByValues(indexes, [[field]], [idValues(text)])
  // The index also finds records with a list of such values.
  return found.filter((record) => !Array.isArray(record[field]))
}

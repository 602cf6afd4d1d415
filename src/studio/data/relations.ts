import { isRecord, ownValue } from '../../core/json/json.ts'
import { ask } from '../control.ts'
import { hrefOf } from '../app/router.ts'
import type { Row } from '../app/state.ts'

/** A relation between two collections: the field `field` of the records in `from` holds ids of records in `to`. */
export interface Relation {
  from: string
  /** The field: a path with dots. */
  field: string
  to: string
  /** Whether the field holds a list of ids. */
  isList: boolean
}

/** Fetches the relations between the resources. Returns none if the mock does not know its relations. */
export async function askRelations(): Promise<Relation[]> {
  return ask<Relation[]>('relations').catch(() => [])
}

/** The URL of the place that shows a record. */
export function recordHref(name: string, id: unknown): string {
  return hrefOf('data', name, { record: String(id) })
}

/** The URL of the place that shows the records that refer to a record. */
export function referrersHref({ from, field }: Relation, id: unknown): string {
  return hrefOf('data', from, { filter: JSON.stringify([[field, 'eq', String(id)]]) })
}

/** The ids in a foreign key: one, or those of lists on the path of the field. */
export function keysOf(record: Row, { field }: Pick<Relation, 'field'>): string[] {
  const path = Object.hasOwn(record, field) ? [field] : field.split('.')
  const values = path.reduce<unknown[]>(
    (values, key) =>
      values.flatMap((value) => (isRecord(value) ? ownValue(value, key) : undefined)).flat(),
    [record],
  )
  return values.flatMap((id) =>
    typeof id === 'string' || typeof id === 'number' ? String(id) : [],
  )
}

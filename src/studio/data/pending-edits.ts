import { isSame, ownValue } from '../../core/json/json.ts'
import { type Signal, signal } from '@preact/signals'
import type { Resource, Row } from '../app/state.ts'
import { withValue } from './fields.ts'

/**
 * An edit of a record: the record as a person saw it (`base`), and as it shall be (`next`). While the write of
 * an edit has no response yet, the edit is pending, and all views show the record with the edit.
 */
export interface Edit {
  resource: Resource
  /** The id of the record; undefined for a singleton. */
  id: string | undefined
  base: Row
  next: Row
}

/** The edits that wait for their responses, in the order in which they are written. */
const pending: Signal<readonly Edit[]> = signal([])

/** Shows an edit in the views while `write` writes it, so that the next edit begins with it. */
export async function showPending<Result>(
  edit: Edit,
  write: () => Promise<Result>,
): Promise<Result> {
  pending.value = [...pending.value, edit]
  try {
    return await write()
  } finally {
    pending.value = pending.value.filter((one) => one !== edit)
  }
}

/** A record of a resource as it is once the edits that are on their way are written. */
export function withPending(name: string, record: Row): Row {
  return pending.value
    .filter((edit) => edit.resource.name === name && isOf(edit, record))
    .reduce(mergeOnto, record)
}

function isOf({ resource, id }: Edit, record: Row): boolean {
  return id === undefined || idIn(resource, record) === id
}

/** The current record with the fields that an edit changes. */
export function mergeOnto(current: Row, { base, next }: Edit): Row {
  return changedFields(base, next).reduce(
    (merged, field) => withValue(merged, field, ownValue(next, field)),
    current,
  )
}

/** The fields in which two records differ. */
export function changedFields(base: Row, next: Row): string[] {
  const fields = new Set([...Object.keys(base), ...Object.keys(next)])
  return [...fields].filter((field) => !isSame(ownValue(base, field), ownValue(next, field)))
}

/** The id of a record as a string. */
export function idIn({ idField = 'id' }: Resource, record: Row): string {
  return String(record[idField])
}

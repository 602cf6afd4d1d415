import { isSame, ownValue } from '../../core/json/json.ts'
import { ask, ControlError, dbPath, findRows, request } from '../control.ts'
import { changeAsOne, report } from '../app/notices.ts'
import type { Resource, Row } from '../app/state.ts'
import { changedFields, type Edit, idIn, mergeOnto, showPending } from './pending-edits.ts'
import { publishLocalWrite } from './local-writes.ts'
import { plural } from '../parts/with-commas.ts'

/**
 * Writes an edit of a record, unless others have changed one of the edited fields in the meantime: then
 * returns the conflict. Fields that only others have changed keep these changes. The write is conditional
 * (`If-Match` with the ETag of the read), so that no change gets lost between the read and the write.
 */
export async function writeEdit(edit: Edit): Promise<Conflict | undefined> {
  const { resource, id, base, next } = edit
  const changed = changedFields(base, next)
  if (changed.length === 0) return undefined
  for (;;) {
    const { current, tag } = await readRecord(resource, id)
    const isChanged = (field: string): boolean =>
      [base, next].every((one) => !isSame(ownValue(current ?? {}, field), ownValue(one, field)))
    const fields = current ? changed.filter(isChanged) : changed
    if (!current || fields.length > 0) return { edit, current, fields }
    try {
      const response = await send(resource, id, 'PUT', mergeOnto(current, edit), {
        'If-Match': tag,
      })
      publishLocalWrite(resource, (await response.json()) as Row)
    } catch (error) {
      // Another write came first: the edit is compared with the record again.
      if (error instanceof ControlError && error.status === 412) continue
      throw error
    }
    reportSaved(edit)
    return undefined
  }
}

/** Reports an edit that is written, with a way to undo it. */
function reportSaved({ resource, id, base, next }: Edit): void {
  report(`Saved ${changedFields(base, next).join(', ')}.`, async () => {
    const inverse = { resource, id, base: next, next: base }
    const conflict = await showPending(inverse, async () => writeEdit(inverse))
    if (conflict) throw new Error('The record has changed since. Please edit it instead.')
  })
}

/** Sends a request to the URL of a file of a record: with a file to store it, without one to remove it. */
export async function sendFile(
  resource: Resource,
  id: string,
  { url, method, file }: { url: string; method: string; file?: File },
): Promise<void> {
  const { current: base } = await readRecord(resource, id)
  // The name by RFC 8187, as a header has no other characters than those of ASCII.
  const name = `attachment; filename*=UTF-8''${encodeURIComponent(file?.name ?? '')}`
  const headers = file && { 'Content-Type': file.type, 'Content-Disposition': name }
  await request(url, { method, file, ...(headers && { headers }) })
  const { current: next } = await readRecord(resource, id)
  if (!base || !next) return
  publishLocalWrite(resource, next)
  reportSaved({ resource, id, base, next })
}

/** Writes edits and new records as one change, with one undo. */
export async function writeAll(
  resource: Resource,
  rows: readonly { base: Row | undefined; next: Row }[],
): Promise<void> {
  let added = 0
  let changed = 0
  await changeAsOne(async () => {
    for (const { base, next } of rows) {
      if (!base) {
        await insertRecord(resource, next)
        added++
      } else if (changedFields(base, next).length > 0) {
        const id = idIn(resource, base)
        if (await writeEdit({ resource, id, base, next }))
          throw new Error(`The record ${id} has just been changed by others.`)
        changed++
      }
    }
    if (added === 0) return `Changed ${plural(changed, 'record')}.`
    if (changed === 0) return `Added ${plural(added, 'record')}.`
    return `Added ${added} and changed ${plural(changed, 'record')}.`
  })
}

/** Finds the records with some ids. */
export async function findRecords(resource: Resource, ids: readonly string[]): Promise<Row[]> {
  return findRows(resource.name, { where: { [resource.idField ?? 'id']: { in: ids } } })
}

/** Inserts a record, and returns it with its id. */
export async function insertRecord(resource: Resource, record: Row): Promise<Row> {
  const response = await request(dbPath(resource.name), { method: 'POST', input: record })
  const added = (await response.json()) as Row
  reportAdded(resource, added)
  return added
}

function reportAdded(resource: Resource, added: Row): void {
  const id = idIn(resource, added)
  report(`Added ${resource.name} ${id}.`, async () => {
    await send(resource, id, 'DELETE')
  })
}

/** Adds generated records, with one undo for all of them. */
export async function generateRecords(
  resource: Resource,
  { count, seed }: { count: number; seed: number | string },
): Promise<void> {
  const { name } = resource
  await changeAsOne(async () => {
    const input = { collection: name, count, seed }
    const { records } = await ask<{ records: Row[] }>('generate', { method: 'POST', input })
    for (const record of records) reportAdded(resource, record)
    return `Added ${plural(records.length, 'record')} to ${name}.`
  })
}

/** Removes records, with a way to bring them back. */
export async function removeRecords(resource: Resource, ids: readonly string[]): Promise<void> {
  await changeAsOne(async () => {
    // The last record is brought back first.
    for (const id of ids.toReversed()) await removeRecord(resource, id)
    return `Deleted ${ids.length === 1 ? `${resource.name} ${ids[0]}` : `${ids.length} records`}.`
  })
}

/** Reads a record with its entity tag; undefined for a record that was removed. */
export async function readRecord(
  resource: Resource,
  id: string | undefined,
): Promise<{ current: Row | undefined; tag: string }> {
  const response = await sendToRecord(resource, id, 'GET')
  if (!response) return { current: undefined, tag: '' }
  return { current: (await response.json()) as Row, tag: response.headers.get('ETag') ?? '*' }
}

/** The changes by others in the fields of an edit since the person saw the fields. */
export interface Conflict {
  edit: Edit
  /** The record as it is now; undefined if it was removed. */
  current: Row | undefined
  fields: string[]
}

async function removeRecord(resource: Resource, id: string): Promise<void> {
  const response = await sendToRecord(resource, id, 'DELETE')
  if (!response) return
  const record = (await response.json()) as Row
  report(`Deleted ${resource.name} ${id}.`, async () => bringBack(resource, record))
}

/** Restores a removed record: in its place if the fixtures have it, else at the end. */
async function bringBack(resource: Resource, record: Row): Promise<void> {
  const id = idIn(resource, record)
  const path = `changes/${encodeURIComponent(resource.name)}`
  const isInFixtures = await request(path, { method: 'DELETE', params: { id } }).then(
    () => true,
    () => false,
  )
  if (isInFixtures) await send(resource, id, 'PUT', record)
  else await request(dbPath(resource.name), { method: 'POST', input: record })
}

/** Sends a request without a body to a record; undefined where the record was removed. */
async function sendToRecord(
  resource: Resource,
  id: string | undefined,
  method: string,
): Promise<Response | undefined> {
  try {
    return await send(resource, id, method)
  } catch (error) {
    if (error instanceof ControlError && error.status === 404) return undefined
    throw error
  }
}

async function send(
  { name }: Resource,
  id: string | undefined,
  method: string,
  input?: Row,
  headers: Record<string, string> = {},
): Promise<Response> {
  return request(dbPath(name), {
    method,
    headers,
    ...(input && { input }),
    ...(id !== undefined && { params: { id } }),
  })
}

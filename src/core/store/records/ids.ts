import { atField } from '../../errors/field-errors.ts'
import { MockError } from '../../errors/mock-error.ts'
import { ownValue, type Json, type JsonRecord } from '../../json/json.ts'
import { type Random, randomText, randomUuid } from '../../time/random.ts'

/**
 * Draws the id of a new record: the next integer if the collection has held only integers or no record, a UUID
 * if only UUIDs, otherwise a short random string. Skips ids that `get` finds and ids that are taken.
 */
export function nextId(
  history: IdHistory,
  random: Random,
  get: (id: string) => JsonRecord | undefined,
  isTaken?: (id: string) => boolean,
): Id {
  const { integers, uuids, texts, highest } = history
  // After the highest safe integer, the search for a free id starts again at 1.
  for (let next = highest === Number.MAX_SAFE_INTEGER ? 1 : highest + 1; ; next++) {
    const isUuid = uuids > 0 && integers + texts === 0
    const id = uuids + texts === 0 ? next : isUuid ? randomUuid(random) : randomText(random)
    const key = String(id)
    if (!get(key) && !isTaken?.(key)) return id
  }
}

/** The error for inserting an id: 409 if it is held, 400 if it is no string or number; undefined if valid. */
export function findIdError(
  record: JsonRecord,
  { name, idField }: { name: string; idField: string },
  isHeld: (id: string) => unknown,
): MockError | undefined {
  const id = ownValue(record, idField) ?? null
  if (id === null) return undefined
  if (!isId(id)) {
    return new MockError(`Failed to read the id: "${idField}" has to be a text or a number.`, {
      status: 400,
      code: 'ID_INVALID',
      ...atField(idField, 'has to be a text that is not empty, or a number'),
    })
  }
  if (!isHeld(String(id))) return undefined
  return new MockError(
    `Failed to insert "${id}" into "${name}": there is a record with this ${idField}. Please use another one.`,
    { status: 409, code: 'ID_TAKEN', ...atField(idField, 'is taken') },
  )
}

/** The id of a record in a collection, as stored: a non-empty string or a finite number. */
export type Id = string | number

/** How many ids of each kind a collection has held, and the highest integer. */
export interface IdHistory {
  integers: number
  uuids: number
  texts: number
  /** The highest integer ever used, also by a removed record. */
  highest: number
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Creates the history of a collection that has never held a record. */
export function createIdHistory(): IdHistory {
  return { integers: 0, uuids: 0, texts: 0, highest: 0 }
}

/** Whether a value is an id: a non-empty string or a finite number. */
export function isId(value: Json | undefined): value is Id {
  return typeof value === 'string' ? value !== '' : Number.isFinite(value)
}

/** Adds an id to a history. */
export function addId(history: IdHistory, id: Id): void {
  if (typeof id === 'string') history[uuid.test(id) ? 'uuids' : 'texts']++
  else if (!Number.isSafeInteger(id)) history.texts++
  else {
    history.integers++
    if (id > history.highest) history.highest = id
  }
}

/** Returns the id of a record as a string, or undefined for a record without an id. */
export function idOf(record: JsonRecord, field: string): string | undefined {
  const id = ownValue(record, field)
  return isId(id) ? String(id) : undefined
}

/** The stored values that a text identifies: the text, and the number that is written like this; `01` is no number. */
export function idValues(text: string): Id[] {
  const number = Number(text)
  return String(number) === text ? [text, number] : [text]
}

/** Checks that the new content of a record keeps its id. @throws MockError 400 for another id */
export function checkId(content: JsonRecord, field: string, id: string): void {
  const given = ownValue(content, field)
  if (given === undefined || idOf(content, field) === id) return
  throw new MockError(
    `Failed to write "${id}": its ${field} cannot become ${JSON.stringify(given)}. Please leave it out.`,
    { status: 400, code: 'ID_CONTRADICTED', ...atField(field, `has to be ${id}`) },
  )
}

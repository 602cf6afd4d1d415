import { MockError } from '../../errors/mock-error.ts'
import { ownValue, type Json, type JsonRecord } from '../../json/json.ts'
import { type Random, randomText, randomUuid } from '../../time/random.ts'

/** What may identify a record. */
export type Id = string | number

/** Which kinds of id a collection has held, and the highest integer among them. */
export interface IdHistory {
  integers: number
  uuids: number
  texts: number
  /** The highest integer ever used, also by a record that is gone. */
  highest: number
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Creates the history of a collection that has held nothing yet. */
export function createIdHistory(): IdHistory {
  return { integers: 0, uuids: 0, texts: 0, highest: 0 }
}

/** Whether a value can identify a record: a text that is not empty, or a finite number. */
export function isId(value: Json | undefined): value is Id {
  return typeof value === 'string' ? value !== '' : Number.isFinite(value)
}

/** Takes an id into account that a record has brought along. */
export function noteId(history: IdHistory, id: Id): void {
  if (typeof id === 'string') history[uuid.test(id) ? 'uuids' : 'texts']++
  else if (!Number.isSafeInteger(id)) history.texts++
  else {
    history.integers++
    if (id > history.highest) history.highest = id
  }
}

/**
 * The id for a new record: the next integer where the collection holds integers or nothing, a UUID
 * where it holds UUIDs, else a short random text. It is one that is not taken elsewhere either.
 */
export function nextId(
  history: IdHistory,
  random: Random,
  get: (id: string) => JsonRecord | undefined,
  isTaken?: (id: string) => boolean,
): Id {
  const { integers, uuids, texts, highest } = history
  // Behind the last integer that there is, the lowest that is free comes next.
  for (let next = highest === Number.MAX_SAFE_INTEGER ? 1 : highest + 1; ; next++) {
    const isUuid = uuids > 0 && integers + texts === 0
    const id = uuids + texts === 0 ? next : isUuid ? randomUuid(random) : randomText(random)
    const key = String(id)
    if (!get(key) && !isTaken?.(key)) return id
  }
}

/** The id of a record as texts are compared, or undefined where it has none. */
export function idOf(record: JsonRecord, field: string): string | undefined {
  const id = ownValue(record, field)
  return isId(id) ? String(id) : undefined
}

/**
 * The error for a record that cannot be added by its id: 409 where that is held, 400 where it is neither
 * a text nor a number.
 */
export function refusalOf(
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
      errors: { [idField]: ['has to be a text that is not empty, or a number'] },
    })
  }
  if (!isHeld(String(id))) return undefined
  return new MockError(
    `Failed to insert "${id}" into "${name}": there is a record with this ${idField}. Please use another one.`,
    { status: 409, code: 'ID_TAKEN', errors: { [idField]: ['is taken'] } },
  )
}

import { wrong } from '../../core/errors/check.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { JsonRecord } from '../../core/json/json.ts'
import { dbOf } from '../resources.ts'
import { type Controllable, idInput, resourceInput, type Tool } from '../tool.ts'

/** Tools that insert, update and remove records, without the checks of behaviours. */
export const writeTools: readonly Tool[] = [
  {
    name: 'insert_records',
    title: 'Insert records',
    description:
      'Inserts records into a collection, one after the other, and returns them. A record without an id gets one. Schemas and other behaviours do not check these writes; a taken id is an error.',
    effect: 'adds',
    input: {
      resource: resourceInput,
      records: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: 200 },
    },
    required: ['resource', 'records'],
    run: insertRecords,
  },
  {
    name: 'update_record',
    title: 'Update a record',
    description:
      'Changes some fields of a record of a collection, or of a singleton (without an id), and returns the record. With "replace", the fields replace all others; the id stays.',
    effect: 'changes',
    input: {
      resource: resourceInput,
      id: { ...idInput, description: 'The id of the record; leave out for a singleton.' },
      fields: { type: 'object', description: 'The new values by name of the field.' },
      replace: { type: 'boolean', default: false },
    },
    required: ['resource', 'fields'],
    run: updateRecord,
  },
  {
    name: 'remove_records',
    title: 'Remove records',
    description: 'Removes records of a collection: those with the ids, or all.',
    effect: 'changes',
    input: {
      resource: resourceInput,
      ids: { type: 'array', items: idInput, minItems: 1 },
      all: { type: 'boolean', description: 'Removes every record of the collection.' },
    },
    required: ['resource'],
    run: removeRecords,
  },
]

async function insertRecords(
  { mock }: Controllable,
  { resource, records }: { resource: string; records: readonly JsonRecord[] },
): Promise<object> {
  const db = dbOf(mock, resource)
  const inserted = await eachInTurn(records, (record) => db.insert(record), 'inserted')
  return { inserted }
}

async function updateRecord(
  { mock }: Controllable,
  args: { resource: string; id?: string | number; fields: JsonRecord; replace?: boolean },
): Promise<object> {
  const { resource, id, fields, replace = false } = args
  const db = dbOf(mock, resource)
  const write = (replace ? db.replace : db.update) as (...args: unknown[]) => Promise<JsonRecord>
  return { record: await (id === undefined ? write(fields) : write(id, fields)) }
}

async function removeRecords(
  { mock }: Controllable,
  { resource, ids, all = false }: { resource: string; ids?: (string | number)[]; all?: boolean },
): Promise<object> {
  const db = dbOf(mock, resource)
  if (all === (ids !== undefined)) {
    throw wrong(
      'the arguments',
      'they do not say which records. Please give either "ids" or "all": true.',
    )
  }
  if (ids) return { removed: await eachInTurn(ids, (id) => db.remove(id), 'removed') }
  const removed = await db.count()
  await db.clear()
  return { removed }
}

/** Runs a write for each item, one after the other. The error of a refused write says how many came before. */
async function eachInTurn<Item, Result>(
  items: readonly Item[],
  write: (item: Item) => Promise<Result>,
  done: string,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    try {
      results.push(await write(item))
    } catch (error) {
      if (items.length === 1) throw error
      const before = `${results.length} of ${items.length} are ${done}`
      throw new MockError(`${toMessage(error)} (${before} before.)`, { cause: error })
    }
  }
  return results
}

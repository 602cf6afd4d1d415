import { wrong } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord, type JsonRecord } from '../../core/json/json.ts'
import { propertiesOf } from '../../core/shape/declared/apply-schema.ts'
import type { FindOptions } from '../../core/types/find-types.ts'
import { firstItems } from '../bounds.ts'
import { dbOf, findResource, readShapes, readValue, withFiles } from '../resources.ts'
import { type Controllable, idInput, resourceInput, type Tool } from '../tool.ts'

/** Tools that read resources, lists of records and single records. */
export const readTools: readonly Tool[] = [
  {
    name: 'list_resources',
    title: 'List resources',
    description:
      'Lists what the mock serves: its URL, each resource with its path, kind (collection, singleton or document), number of records and names of fields, and the behaviours such as auth or delay. With "resource", returns the JSON Schema of its records, its relations to other resources, and an example. Call it first.',
    effect: 'reads',
    input: { resource: { ...resourceInput, description: 'Only this resource, in detail.' } },
    run: listResources,
  },
  {
    name: 'find_records',
    title: 'Find records',
    description:
      'Finds records of a collection by a filter, sorted, a page at a time. Returns the total, and a hint how to get the rest where the result is not complete.',
    effect: 'reads',
    input: {
      resource: resourceInput,
      where: {
        type: 'object',
        description:
          'A filter. Fields with a value or operators: {"title":"x"}, {"views":{"gt":1}}, {"author.name":{"contains":"ada"}}; combined by {"and":[…]}, {"or":[…]}, {"not":{…}}. Operators: eq, ne, lt, lte, gt, gte, in, nin, contains, startsWith, endsWith, like, exists.',
      },
      sort: {
        type: 'string',
        description: 'Fields in order, with a minus for descending: "-views,title".',
      },
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: 'Return only these top-level fields of each record.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 200, default: 20 },
      offset: { type: 'integer', minimum: 0, default: 0 },
    },
    required: ['resource'],
    run: findRecords,
  },
  {
    name: 'get_record',
    title: 'Get a record',
    description:
      'Returns a record of a collection by its id, or a singleton or document without an id.',
    effect: 'reads',
    input: { resource: resourceInput, id: idInput },
    required: ['resource'],
    run: getRecord,
  },
]

async function listResources(
  controlled: Controllable,
  { resource: name }: { resource?: string },
): Promise<object> {
  if (name !== undefined) return describeResource(controlled, name)
  const { mock, url } = controlled
  const { base, dialect, resources, behaviours, snapshots } = await mock.state()
  const shapes = new Map((await readShapes(mock)).map((shape) => [shape.name, shape]))
  return {
    url: new URL(url).origin + base,
    dialect,
    resources: resources.map((one) => {
      const { schema = {} } = shapes.get(one.name) ?? {}
      return { ...one, fields: Object.keys(propertiesOf(schema)) }
    }),
    behaviours: behaviours.map((one) => one.name),
    snapshots,
  }
}

async function describeResource(controlled: Controllable, name: string): Promise<object> {
  const { mock, readSchema } = controlled
  const found = await findResource(mock, name)
  // The mock reports an unknown name with the nearest name.
  if (!found) return { example: await dbOf(mock, name).find({ limit: 1 }) }
  const shape = (await readShapes(mock)).find((one) => one.name === name)
  const isCollection = found.kind === 'collection'
  const first = isCollection ? await dbOf(mock, name).find({ limit: 1 }) : []
  const [example] = await withFiles(controlled, name, first)
  return {
    ...found,
    schema: (await readSchema(name)) ?? shape?.schema,
    relations: (shape?.relations ?? []).map(({ place, to }) => ({ field: place.join('.'), to })),
    ...(example && { example }),
  }
}

interface FindArgs extends FindOptions {
  resource: string
  fields?: readonly string[]
}

async function findRecords(
  controlled: Controllable,
  { resource, fields, limit = 20, offset = 0, ...options }: FindArgs,
): Promise<object> {
  const db = dbOf(controlled.mock, resource)
  const total = await db.count(options)
  const stored: JsonRecord[] = await db.find({ ...options, limit, offset })
  const found = await withFiles(controlled, resource, stored)
  const records = firstItems(fields ? found.map((record) => pick(record, fields)) : found)
  const next = offset + records.length
  const isComplete = next >= total || records.length === 0
  const advice = records.length < found.length ? ' or choose fewer "fields"' : ''
  return {
    total,
    offset,
    records,
    ...(!isComplete && {
      hint: `Records ${offset} to ${next - 1} of ${total}. Continue with "offset": ${next}${advice}.`,
    }),
  }
}

function pick(record: JsonRecord, fields: readonly string[]): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)))
}

async function getRecord(
  controlled: Controllable,
  { resource, id }: { resource: string; id?: string | number },
): Promise<object> {
  const db = dbOf(controlled.mock, resource)
  if (id === undefined) {
    const found = await findResource(controlled.mock, resource)
    if (found?.kind === 'collection') {
      throw wrong(
        'the arguments',
        `"${resource}" is a collection. Please give an "id", or call find_records.`,
      )
    }
    const value = await readValue(db)
    return { value: isRecord(value) ? (await withFiles(controlled, resource, [value]))[0] : value }
  }
  const record = await db.get(id)
  if (record) return { record: (await withFiles(controlled, resource, [record]))[0] }
  throw new MockError(
    `Failed to find "${id}" in "${resource}". Please call find_records to see which records there are.`,
    { status: 404, code: 'RECORD_UNKNOWN' },
  )
}

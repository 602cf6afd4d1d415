import { MockError } from '../core/errors/mock-error.ts'
import { createShapes, type Shape } from '../core/shape/shapes.ts'
import { toSources } from '../core/shape/sources.ts'
import type { Json, JsonRecord } from '../core/json/json.ts'
import type { Remote, RemoteMock, RemoteResource } from '../remote/types.ts'
import type { CollectionDb, SingletonDb } from '../core/types/db-types.ts'
import type { Controllable } from './tool.ts'

/** Accesses a resource, as `mock.db` does. @throws MockError for a name that none can have */
export function dbOf({ db }: RemoteMock, name: string): AnyDb {
  const resource = (db as Record<string, AnyDb | undefined>)[name]
  if (resource) return resource
  throw new MockError(
    `Failed to find "${name}": there is no such resource. Please call list_resources.`,
    { code: 'RESOURCE_UNKNOWN' },
  )
}

/** The access to a resource of any kind; the mock refuses the calls that its kind does not have. */
export type AnyDb = Remote<CollectionDb> & Remote<Pick<SingletonDb, 'replace' | 'update'>>

/** Returns the resource of a name, or undefined. */
export async function findResource(
  mock: RemoteMock,
  name: string,
): Promise<RemoteResource | undefined> {
  return (await mock.state()).resources.find((one) => one.name === name)
}

/** Describes the files in records, which the mock stores as texts: some have all bytes in a data URL. */
export async function withFiles(
  { url, mock, send }: Controllable,
  name: string,
  records: readonly JsonRecord[],
): Promise<JsonRecord[]> {
  const { behaviours, resources } = await mock.state()
  const { idField = 'id' } = resources.find((one) => one.name === name) ?? {}
  const hasFiles = behaviours.some((one) => one.name === 'files' && one.controls.includes('POST'))
  const ids = records.map((record) => String(record[idField] as string | number))
  const asked = { resource: name, ids, origin: new URL(url).origin }
  const shown = hasFiles ? await send<(JsonRecord | null)[]>('POST', 'files', asked) : []
  return records.map((record, at) => shown[at] ?? record)
}

/** Infers the shapes (schemas and relations) of all resources from their first records at this time. */
export async function readShapes(mock: RemoteMock): Promise<Shape[]> {
  const { resources } = await mock.state()
  const data = await Promise.all(
    resources.map(async (one) => [one.name, await readSample(mock, one)] as const),
  )
  const idFields = new Map(resources.map(({ name, idField }) => [name, idField]))
  const sources = toSources(Object.fromEntries(data), (name) => idFields.get(name) ?? 'id')
  return createShapes()(sources, {})
}

/** The number of records of each collection that shapes are inferred from. */
const sampleSize = 500

async function readSample(mock: RemoteMock, { name, kind }: RemoteResource): Promise<Json> {
  const db = dbOf(mock, name)
  return kind === 'collection' ? db.find({ limit: sampleSize }) : readValue(db)
}

/** Reads the value of a singleton or a document. */
export function readValue(db: AnyDb): Promise<Json> {
  return (db.get as unknown as () => Promise<Json>)()
}

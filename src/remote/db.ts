import { checkOptions } from '../core/errors/check.ts'
import { MockError } from '../core/errors/mock-error.ts'
import { findChecks, probed, toRecord } from '../core/mock/db.ts'
import type { FindOptions } from '../core/types/find-types.ts'
import type { Client } from './client.ts'
import { isJsonValue } from './is-json-value.ts'
import type { RemoteDb } from './types.ts'

/**
 * Creates the `db` of a mock in another process: the access to its resources, which sends each call to the
 * control API. Any name gives an access, because only the server knows which resources exist.
 */
export function createRemoteDb<Data>(client: Client): RemoteDb<Data> {
  return new Proxy({} as RemoteDb<Data>, {
    get: (_, name) =>
      typeof name === 'string' && !probed.test(name) ? toResource(client, name) : undefined,
  })
}

/** Creates the methods of every kind of resource; the server refuses a method that the resource does not have. */
function toResource({ send }: Client, name: string): object {
  const path = `db/${encodeURIComponent(name)}`
  const pathOf = (id: unknown): string => `${path}?id=${encodeURIComponent(String(id))}`
  /** A singleton has no id: `update(fields)`, unlike `update(id, fields)`. */
  const write = async (method: string, [first, ...rest]: unknown[]): Promise<unknown> =>
    rest.length === 0
      ? send(method, path, toRecord(first))
      : send(method, pathOf(first), toRecord(rest[0]))
  return {
    get: async (...ids: unknown[]) =>
      ids.length === 0 ? send('GET', path) : send('GET', pathOf(ids[0])).catch(toUndefined),
    all: () => send('GET', path),
    async find(options: FindOptions = {}) {
      checkOptions('the options of find', options, findChecks)
      return send('POST', `${path}/find`, withOperands(options))
    },
    count: async (where?: FindOptions['where']) =>
      send('POST', `${path}/count`, withOperands({ where })),
    insert: async (record: unknown) => send('POST', path, toRecord(record)),
    update: (...args: unknown[]) => write('PATCH', args),
    replace: (...args: unknown[]) => write('PUT', args),
    remove: async (id: unknown) => send('DELETE', pathOf(id)),
    clear: async () => void (await send('DELETE', path)),
  }
}

function toUndefined(error: unknown): undefined {
  if (error instanceof MockError && error.code === 'RECORD_UNKNOWN') return undefined
  throw error
}

/**
 * Writes values that JSON would drop as the texts that a filter compares, as the local call does. Otherwise
 * `{ title: undefined }` would lose its condition, and find every record.
 */
function withOperands({ where, ...rest }: { where?: unknown }): unknown {
  if (where === undefined) return rest
  const text = JSON.stringify(where, (_, value: unknown) =>
    isJsonValue(value) ? value : String(value),
  )
  return { ...rest, where: JSON.parse(text) as unknown }
}

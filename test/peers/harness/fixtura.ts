import type { Dialect } from '../../../src/dialects.ts'
import { createMock, type MockOptions } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import type { Database } from './database.ts'

/** Serves a copy of the data in a dialect; the same seed makes the same ids. */
export async function startFixtura(
  database: Database,
  dialect: Dialect,
  options: Omit<MockOptions<object>, 'fixtures'> = {},
): Promise<{ url: string; close: () => Promise<void> }> {
  const fixtures = structuredClone(database)
  const mock = createMock({ ...options, fixtures, dialect, seed: 'peers' })
  return serve(mock, { port: 0, host: '127.0.0.1' })
}

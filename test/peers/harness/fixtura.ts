import type { Dialect } from '../../../src/dialects.ts'
import { createMock } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import type { Database } from './database.ts'

/** Serves a copy of the data in a dialect; the same seed makes the same ids. */
export async function startFixtura(
  database: Database,
  dialect: Dialect,
): Promise<{ url: string; close: () => Promise<void> }> {
  const mock = createMock({ fixtures: structuredClone(database), dialect, seed: 'peers' })
  return serve(mock, { port: 0, host: '127.0.0.1' })
}

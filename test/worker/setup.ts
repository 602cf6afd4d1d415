import { join } from 'node:path'

import { bundleWorker, startWorkerd } from '../workerd.ts'
import { replaceImports, tableSource } from './tables.ts'

/** Starts `workerd` with the tables of the contract, for `contract` in test/faces.ts. */
export async function setup(): Promise<() => Promise<void>> {
  const harness = join(import.meta.dirname, 'harness.ts')
  const source = tableSource('MockSession, worker as default', harness)
  const workerd = await startWorkerd(await bundleWorker(source, [replaceImports(harness)]))
  process.env['WORKERD_PORT'] = String(workerd.port)
  return () => workerd.close()
}

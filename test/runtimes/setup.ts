import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { replaceImports, tableSource } from '../worker/tables.ts'
import { bundleWorker } from '../workerd.ts'

/**
 * Starts the program of the tables with the runtime in RUNTIME, such as `bun` or `deno run -A`, for `contract` in
 * test/faces.ts.
 */
export async function setup(): Promise<() => Promise<void>> {
  const harness = join(import.meta.dirname, 'host.ts')
  const source = `${tableSource('startHost', harness)}\nimport { startHost } from '${harness}'\nstartHost()`
  const code = await bundleWorker(source, [replaceImports(harness)], false, 'node')
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-runtime-'))
  writeFileSync(join(folder, 'host.mjs'), code)
  const [command = process.execPath, ...flags] = (process.env['RUNTIME'] ?? '').split(' ')
  const child = spawn(command, [...flags, join(folder, 'host.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  process.env['RUNTIME_PORT'] = String((JSON.parse(line) as { port: number }).port)
  return async () => {
    child.kill()
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'

import { replaceImports, tableSource } from '../worker/tables.ts'
import { bundleWorker } from '../workerd.ts'

/**
 * Starts the program of the tables with each runtime in RUNTIMES, such as `bun, deno run -A`, for `contract` in
 * test/faces.ts.
 */
export async function setup(): Promise<() => Promise<void>> {
  const harness = join(import.meta.dirname, 'host.ts')
  const source = `${tableSource('startHost', harness)}\nimport { startHost } from '${harness}'\nstartHost()`
  const code = await bundleWorker(source, [replaceImports(harness)], false, 'node')
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-runtime-'))
  writeFileSync(join(folder, 'host.mjs'), code)
  const ports: Record<string, number> = {}
  const children: ChildProcess[] = []
  for (const runtime of (process.env['RUNTIMES'] ?? process.execPath).split(',')) {
    const [command = '', ...flags] = runtime.trim().split(' ')
    const child = spawn(command, [...flags, join(folder, 'host.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    ports[basename(command)] = (JSON.parse(line) as { port: number }).port
  }
  process.env['RUNTIME_PORTS'] = JSON.stringify(ports)
  return async () => {
    for (const child of children) {
      child.kill()
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true })
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { type Backend, createData } from './backend.ts'

/** Serves a service of `@sap/cds` in a process of its own. */
export async function serveCap(): Promise<Backend> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cap/server.js')], {
    env: { ...process.env, DATA: JSON.stringify(createData()) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /^port (\d+)$/.exec(line) ?? []
    if (port === undefined) continue
    return {
      origin: `http://127.0.0.1:${port}`,
      async close() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error('The service of @sap/cds has ended.')
}

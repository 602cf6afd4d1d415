import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { program } from './program.ts'

it('prints all of its output to a reader that is late', async () => {
  const child = spawn(process.execPath, [program, 'openapi', 'fixtures'], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  // Without a reader, the pipe is full after 64 kB. A command that ended nevertheless would end within a second.
  await Promise.race([once(child, 'exit'), setTimeout(3000)])
  expect(JSON.parse(await text(child.stdout))).toMatchObject({ openapi: '3.1.1' })
})

import { expect, it, onTestFinished, vi } from 'vitest'

import { createShutdown } from '../../../../src/cli/session/shutdown.ts'
import { createFakeIo, type FakeIo } from '../fake-io.ts'

type Request = (io: FakeIo, shutdown: ReturnType<typeof createShutdown>) => void

const rows: [title: string, request: Request][] = [
  ['a key', (_, shutdown) => shutdown.request()],
  ['SIGINT', (io) => io.send('SIGINT')],
  ['SIGTERM', (io) => io.send('SIGTERM')],
  ['SIGHUP', (io) => io.send('SIGHUP')],
  ['the end of the parent that npm started', (io) => (io.ppid = 1)],
]

it.each(rows)('%s ends the program gracefully, and the next signal at once', async (_, request) => {
  const io = createFakeIo({ env: { npm_command: 'exec' } })
  io.ppid = 7
  const shutdown = createShutdown(io)
  onTestFinished(shutdown.release)
  request(io, shutdown)
  await shutdown.requested
  // A signal within the echo time does not count as the next one.
  expect(io.listeners()).toBe(3)
  await expect.poll(() => io.listeners()).toBe(0)
})

it('the parent is not watched where npm did not start the program', () => {
  const io = createFakeIo()
  io.ppid = 7
  const timers = vi.spyOn(globalThis, 'setInterval')
  onTestFinished(() => timers.mockRestore())
  createShutdown(io).release()
  expect(timers).not.toHaveBeenCalled()
})

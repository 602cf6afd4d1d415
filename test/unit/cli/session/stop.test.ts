import { expect, it, onTestFinished, vi } from 'vitest'

import { createStop } from '../../../../src/cli/session/stop.ts'
import { createFakeIo, type FakeIo } from '../fake-io.ts'

type Ask = (io: FakeIo, stop: ReturnType<typeof createStop>) => void

const rows: [title: string, ask: Ask][] = [
  ['a key', (_, stop) => stop.ask()],
  ['SIGINT', (io) => io.send('SIGINT')],
  ['SIGTERM', (io) => io.send('SIGTERM')],
  ['SIGHUP', (io) => io.send('SIGHUP')],
  ['the loss of the parent, where npm started it', (io) => (io.ppid = 1)],
]

it.each(rows)('%s ends in order, and the next signal at once', async (_, ask) => {
  const io = createFakeIo({ env: { npm_command: 'exec' } })
  io.ppid = 7
  const stop = createStop(io)
  onTestFinished(stop.release)
  ask(io, stop)
  await stop.asked
  // An echo of the same signal is not the next one.
  expect(io.listeners()).toBe(3)
  await expect.poll(() => io.listeners()).toBe(0)
})

it('a parent that goes is none of its business, where npm did not start it', () => {
  const io = createFakeIo()
  io.ppid = 7
  const timers = vi.spyOn(globalThis, 'setInterval')
  onTestFinished(() => timers.mockRestore())
  createStop(io).release()
  expect(timers).not.toHaveBeenCalled()
})

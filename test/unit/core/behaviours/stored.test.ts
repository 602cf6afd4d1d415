import { describe, expect, it } from 'vitest'

import { type Behaviour, events, idempotency, states } from '../../../../src/behaviours.ts'
import { createManualClock, createMock, type Mock } from '../../../../src/index.ts'

/** Gives a behaviour the storage of a worker, whose objects have little memory. */
function withStorage({ name, create }: Behaviour): Behaviour {
  return {
    name,
    create(world) {
      world.stored = () => new Map()
      return create(world)
    },
  }
}

const large = 'x'.repeat(2.2 * 1024 * 1024)

async function post({ fetch }: Mock, key: string, text: string): Promise<string | null> {
  const response = await fetch('/posts', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
      Prefer: 'return=minimal',
    },
    body: JSON.stringify({ text }),
  })
  expect(response.ok).toBe(true)
  return response.headers.get('idempotency-replayed')
}

describe('a behaviour with storage', () => {
  it('stores responses of 4 MiB', async () => {
    const use = [withStorage(idempotency())]
    const mock = createMock({ fixtures: { posts: [] }, use })
    await post(mock, 'a', large)
    expect(await post(mock, 'a', large)).toBe('true')
    await post(mock, 'b', large)
    await post(mock, 'c', '')
    expect(await post(mock, 'a', large)).toBe(null)
  })

  it('replays events of 4 MiB', async () => {
    const use = [withStorage(events())]
    const mock = createMock({ fixtures: { posts: [] }, use, clock: createManualClock(0) })
    const replayed = async (): Promise<string | undefined> => {
      const headers = { Accept: 'text/event-stream', 'Last-Event-ID': '0-1' }
      const response = await mock.fetch('/posts', { headers })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      const { value = '' } = (await reader?.read()) ?? {}
      await reader?.cancel()
      return /^event: (\w+)/m.exec(value)?.[1]
    }
    await post(mock, 'a', '')
    await post(mock, 'b', large)
    expect(await replayed()).toBe('created')
    await post(mock, 'c', large)
    expect(await replayed()).toBe('reset')
  })

  it('keeps 4 MiB of the fields of running actions', async () => {
    const ship = { to: 'shipped', takes: '5s', fields: ['note'] }
    const own = { transitions: { paid: ['shipped'], shipped: [] }, actions: { ship } }
    const orders = [1, 2].map((id) => ({ id, status: 'paid' }))
    const clock = createManualClock()
    const use = [withStorage(states({ orders: own }))]
    const { fetch } = createMock({ fixtures: { orders }, use, clock })
    const start = async (id: number): Promise<number> => {
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ note: large })
      return (await fetch(`/orders/${id}/ship`, { method: 'POST', headers, body })).status
    }
    expect([await start(1), await start(2)]).toEqual([202, 413])
    clock.advance('5s')
    expect(await start(2)).toBe(202)
  })
})

import { expect, it } from 'vitest'

import { sessionNameHeader } from '../../../../src/faces/worker/calls.ts'
import { toWorkerSettings } from '../../../../src/faces/worker/options.ts'
import type { ObjectState } from '../../../../src/faces/worker/runtime.ts'
import { createObjectClass } from '../../../../src/faces/worker/session-object.ts'

it('stores nothing for a session that the shared mock refuses', async () => {
  const calls: string[] = []
  const note = (call: string): Promise<void> => {
    calls.push(call)
    return Promise.resolve()
  }
  const state: ObjectState = {
    storage: {
      sql: {
        exec(query) {
          calls.push(query.slice(0, query.indexOf(' ')))
          return { toArray: () => [] }
        },
      },
      setAlarm: () => note('setAlarm'),
      deleteAlarm: () => note('deleteAlarm'),
      deleteAll: () => note('deleteAll'),
    },
    abort: () => void note('abort'),
    blockConcurrencyWhile: (callback) => callback(),
  }
  const shared = { fetch: () => Promise.resolve(new Response('full', { status: 429 })) }
  const env = { MOCK: { idFromName: (name: string) => ({ name }), get: () => shared } }
  const settings = toWorkerSettings({ fixtures: { posts: [] } }, {})
  const MockSession = createObjectClass(settings, () => new Map())
  const object = new MockSession(state, env)
  const request = new Request('http://localhost/posts', { headers: { [sessionNameHeader]: 'a' } })
  const response = await object.fetch(request)
  expect([response.status, await response.text()]).toEqual([429, 'full'])
  await object.alarm()
  expect(calls.filter((call) => call !== 'SELECT')).toEqual([])
})

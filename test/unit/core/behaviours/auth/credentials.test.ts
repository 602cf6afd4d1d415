import { expect, it, onTestFinished } from 'vitest'

import { auth, sessions, type AuthOptions } from '../../../../../src/behaviours.ts'
import { createMock } from '../../../../../src/index.ts'
import { serve } from '../../../../../src/node.ts'

const users = [
  { id: 1, email: 'ada@example.com', password: 'pä:ss?>', apiKey: 'a-1' },
  { id: 2, email: 'bob@example.com', password: 'b', apiKey: 'b-2' },
]

async function open(options: AuthOptions) {
  const mock = createMock({ fixtures: { users }, use: [sessions(), auth(options)] })
  const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  return async (user: unknown, headers: Record<string, string> = {}) => {
    const sent = { method: 'POST', body: JSON.stringify(user), headers }
    const found = await fetch(new URL('/__mock/auth', url), sent)
    const header = (await found.json()) as [string, string] | null
    if (!header || found.status !== 200) return [found.status, header]
    const me = await fetch(new URL('/me', url), { headers: { ...headers, [header[0]]: header[1] } })
    return [me.status, ((await me.json()) as { id: number }).id]
  }
}

it.each<[title: string, options: AuthOptions]>([
  ['a bearer token', { scheme: 'bearer' }],
  ['an opaque token', { scheme: 'bearer', tokens: 'opaque' }],
  ['basic credentials', { scheme: 'basic' }],
  ['an API key', { scheme: 'apiKey' }],
  ['a token beside a cookie', { scheme: ['cookie', 'bearer'] }],
])('the control gives the header of a user that %s logs in', async (_, options) => {
  const asUser = await open(options)
  expect(await asUser(1)).toEqual([200, 1])
  expect(await asUser('2')).toEqual([200, 2])
  expect(await asUser(2, { 'X-Mock-Session': 'own' })).toEqual([200, 2])
  expect((await asUser(3))[0]).toBe(404)
})

it('the control has no header for a login by cookie alone', async () => {
  expect(await (await open({ scheme: 'cookie' }))(1)).toEqual([200, null])
})

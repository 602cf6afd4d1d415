// @vitest-environment jsdom
import { expect, it } from 'vitest'

import { auth } from '../../../src/behaviours.ts'
import { createMock } from '../../../src/index.ts'

it('signs and verifies tokens in a simulated page', async () => {
  const users = [{ id: 1, email: 'ada@x.org', password: 'x' }]
  const mock = createMock({ fixtures: { users }, use: [auth()] })
  const login = await mock.fetch(
    new Request('http://localhost/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"ada@x.org","password":"x"}',
    }),
  )
  const { access_token: token } = (await login.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  const other = mock.fork()
  const me = await other.fetch(new Request('http://localhost/me', { headers }))
  expect([window.document.nodeType, await me.json()]).toEqual([9, { id: 1, email: 'ada@x.org' }])
})

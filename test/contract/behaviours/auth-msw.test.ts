import { setupServer } from 'msw/node'
import { expect, it, onTestFinished } from 'vitest'

import { auth } from '../../../src/behaviours.ts'
import { createMock } from '../../../src/index.ts'
import { handlers, strict } from '../../../src/msw.ts'

// MSW 2 keeps cookies for the whole process, and MSW 3 keeps none in Node.
it('authenticates by a Cookie header, whatever cookies MSW stores', async () => {
  const users = [
    { id: 1, email: 'ada' },
    { id: 2, email: 'bob' },
  ]
  const mock = createMock({ fixtures: { users }, base: '/api', use: [auth({ scheme: 'cookie' })] })
  const server = setupServer(...handlers(mock))
  server.listen(strict())
  onTestFinished(() => server.close())

  const logIn = async (email: string): Promise<string> => {
    const response = await fetch('http://mock.test/api/login', {
      method: 'POST',
      credentials: 'include',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  }
  const me = async (cookie: string): Promise<unknown> => {
    const headers = { cookie }
    return (await fetch('http://mock.test/api/me', { credentials: 'include', headers })).json()
  }
  const cookies = [await logIn('ada'), await logIn('bob')]
  expect([await me(cookies[0] ?? ''), await me(cookies[1] ?? '')]).toEqual(users)
})

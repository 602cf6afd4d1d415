import { describe, expect, it } from 'vitest'

import { auth, type AuthOptions } from '../../../src/behaviours.ts'
import { rest, type RestNames } from '../../../src/dialects.ts'
import { createManualClock, createMock, type ManualClock } from '../../../src/index.ts'

const fixtures = {
  users: [
    { id: 1, email: 'ada@x.org', password: 'ada', apiKey: 'key-ada' },
    { id: 2, email: 'bob@x.org', password: 'bob', apiKey: 'key-bob' },
  ],
  articles: [{ id: 1, title: 'One' }],
  comments: [{ id: 1, articleId: 1 }],
}

type Send = (
  request: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: unknown; headers: Headers }>

/** A mock with `auth`, and a function that sends it a request such as `POST /login`. */
function start(options: AuthOptions, names: RestNames = {}): { send: Send; clock: ManualClock } {
  const clock = createManualClock()
  const mock = createMock({
    fixtures,
    clock,
    seed: 1,
    dialect: rest(names),
    use: [auth({ tokens: 'opaque', ...options })],
  })
  const send: Send = async (request, body, headers = {}) => {
    const [method = '', path = ''] = request.split(' ')
    const response = await mock.fetch(`http://mock.test${path}`, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, body: parsed, headers: response.headers }
  }
  return { send, clock }
}

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` })

describe('the codes of refused credentials', () => {
  const names: RestNames = {
    error: { code: '$code' },
    messages: { TOKEN_EXPIRED: 'Log in again' },
    errors: { TOKEN_EXPIRED: { text: '$detail' } },
    statuses: { LOGIN_FAILED: 422 },
  }

  it('tell missing, wrong and expired credentials apart', async () => {
    const { send, clock } = start({ scheme: ['bearer', 'apiKey'], expires: '1h' }, names)
    const codeOf = async (...request: Parameters<Send>): Promise<unknown> => {
      const { status, body } = await send(...request)
      return [status, body]
    }
    expect(await codeOf('GET /articles')).toEqual([401, { code: 'UNAUTHORIZED' }])
    const wrong = await codeOf('GET /articles', undefined, bearer('nope'))
    expect(wrong).toEqual([401, { code: 'TOKEN_INVALID' }])
    const key = await codeOf('GET /articles?api_key=nope')
    expect(key).toEqual([401, { code: 'KEY_INVALID' }])
    const login = { email: 'ada@x.org', password: 'ada' }
    const failed = await codeOf('POST /login', { ...login, password: 'x' })
    expect(failed).toEqual([422, { code: 'LOGIN_FAILED' }])

    const { access_token: token, refresh_token: refresh } = (await send('POST /login', login))
      .body as Record<string, string>
    clock.advance('2h')
    const expired = await codeOf('GET /articles', undefined, bearer(token ?? ''))
    expect(expired).toEqual([401, { text: 'Log in again' }])
    clock.advance('60d')
    const late = await codeOf('POST /refresh', { refresh_token: refresh })
    expect(late).toEqual([401, { text: 'Log in again' }])
    const again = await codeOf('POST /refresh', { refresh_token: refresh })
    expect(again).toEqual([401, { code: 'TOKEN_INVALID' }])
  })
})

describe('$missing', () => {
  const rows: [request: string, status: number, missing: string][] = [
    ['GET /articles/9', 404, 'article'],
    ['GET /articles/9/comments', 404, 'article'],
    ['POST /articles/9/comments', 404, 'article'],
    ['GET /articles/1/comments/9', 404, 'comment'],
    ['PUT /articles/9', 404, 'article'],
    ['GET /nope', 404, 'nope'],
    ['DELETE /articles', 405, 'article'],
  ]
  it.each(rows)('of %s (%i) is %s', async (request, status, missing) => {
    const { send } = start({ protect: [] }, { error: { missing: '$missing' } })
    const hasBody = request.startsWith('P')
    expect(await send(request, hasBody ? {} : undefined)).toMatchObject({
      status,
      body: { missing },
    })
  })
})

import { describe, expect, it } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { fromOpenApi } from '../../../../src/openapi.ts'

const ok = { responses: { 200: { description: '' } } }
const document = {
  openapi: '3.1.0',
  security: [{ token: [] }],
  paths: {
    '/token': { get: ok },
    '/open': { get: { ...ok, security: [] } },
    '/optional': { get: { ...ok, security: [{}, { token: [] }] } },
    '/key': { get: { ...ok, security: [{ key: [] }] } },
    '/query': { get: { ...ok, security: [{ query: [] }] } },
    '/cookie': { get: { ...ok, security: [{ cookie: [] }] } },
    '/basic': { get: { ...ok, security: [{ basic: [] }] } },
    '/both': { get: { ...ok, security: [{ key: [], basic: [] }, { oauth: ['read'] }] } },
  },
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      basic: { type: 'http', scheme: 'basic' },
      oauth: { type: 'oauth2', flows: {} },
    },
  },
}
const bearer = { authorization: 'Bearer abc' }
const basic = { authorization: 'Basic YTpi' }

describe('a mock of a document with "auth"', () => {
  const mock = createMock({ openapi: fromOpenApi(document, { auth: true }) })

  it.each<[title: string, path: string, headers: Record<string, string>, status: number]>([
    ['needs a token', '/token', {}, 401],
    ['takes any token', '/token', bearer, 200],
    ['takes a scheme in lower case', '/token', { authorization: 'bearer x' }, 200],
    ['refuses another scheme', '/token', basic, 401],
    ['refuses a scheme without a token', '/token', { authorization: 'Bearer' }, 401],
    ['leaves operations without security open', '/open', {}, 200],
    ['lets an empty alternative pass', '/optional', {}, 200],
    ['takes a key in a header', '/key', { 'x-api-key': 'k' }, 200],
    ['needs the key', '/key', bearer, 401],
    ['takes a key in the query', '/query?key=k', {}, 200],
    ['refuses an empty key', '/query?key=', {}, 401],
    ['takes a cookie', '/cookie', { cookie: 'a=1; sid=2' }, 200],
    ['needs all schemes of an alternative', '/both', { 'x-api-key': 'k' }, 401],
    ['takes all schemes', '/both', { 'x-api-key': 'k', ...basic }, 200],
    ['takes another alternative', '/both', bearer, 200],
  ])('%s: %s', async (_title, path, headers, status) => {
    expect((await mock.fetch(path, { headers })).status).toBe(status)
  })

  it('says how to authenticate, and hides keys in the log', async () => {
    const response = await mock.fetch('/both?key=secret')
    expect(response.headers.get('www-authenticate')).toBe(
      'ApiKey realm="mock", Basic realm="mock", Bearer realm="mock"',
    )
    expect(await response.json()).toMatchObject({
      detail: expect.stringContaining(
        'Please send the header "X-API-Key" or "Authorization: Basic …"',
      ),
    })
    expect(JSON.stringify(mock.log)).not.toContain('secret')
  })

  it('checks nothing without the option', async () => {
    const open = createMock({ openapi: fromOpenApi(document) })
    expect((await open.fetch('/both')).status).toBe(200)
  })
})

import { expect, it } from 'vitest'

import { limit } from '../../../src/behaviours.ts'
import { createManualClock } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const fixtures = { posts: [{ id: 1 }], comments: [{ id: 1 }] }
const still = (use: ReturnType<typeof limit>) => () => ({
  fixtures,
  clock: createManualClock(),
  use: [use],
})

contract('a limit', still(limit({ requests: 2, per: '1m' })), [
  [
    'says on every answer what is left',
    'GET /posts',
    {
      status: 200,
      headers: { 'ratelimit-policy': '"default";q=2;w=60', ratelimit: '"default";r=1;t=60' },
    },
  ],
  [
    'refuses what is past it',
    ['GET /posts', 'GET /posts', 'GET /posts/1'],
    {
      status: 429,
      headers: {
        'retry-after': '60',
        ratelimit: '"default";r=0;t=60',
        'content-type': /problem\+json/,
        'cache-control': 'no-store',
      },
    },
  ],
  ['counts errors too', ['GET /posts/9', 'GET /posts/9', 'GET /posts/1'], { status: 429 }],
])

contract('a limit by caller', still(limit({ requests: 1, per: '1h', by: 'X-Api-Key' })), [
  [
    'tells callers apart',
    [
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
      { request: 'GET /posts', headers: { 'x-api-key': 'b' } },
    ],
    { status: 200 },
  ],
  [
    'refuses the one that is past it',
    [
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
    ],
    { status: 429 },
  ],
])

contract('a limit for some', still(limit({ requests: 1, per: '1h', only: ['POST posts'] })), [
  [
    'leaves others alone',
    ['GET /posts', 'GET /posts'],
    { status: 200, headers: { ratelimit: null } },
  ],
  [
    'refuses those',
    [
      { request: 'POST /posts', body: {} },
      { request: 'POST /posts', body: {} },
    ],
    { status: 429 },
  ],
])

it.each([
  [{ requests: 0, per: '1m' }, '"requests" cannot be 0'],
  [{ requests: 1, per: '1m', algoritm: 'fixed' }, 'Did you mean "algorithm"?'],
  [{ requests: 1, per: 'soon' }, 'Failed to read the duration "soon"'],
])('refuses the options %j', (options, message) => {
  expect(() => limit(options as never)).toThrow(message)
})

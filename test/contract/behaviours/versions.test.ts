import { expect, it } from 'vitest'

import { type VersionOptions, versions } from '../../../src/behaviours.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const all: VersionOptions['versions'] = {
  v1: {
    deprecated: '2026-01-01T00:00:00Z',
    sunset: '2026-12-31T23:59:59Z',
    successor: 'v2',
    fields: { posts: { title: 'headline' } },
  },
  v2: {},
}
type Options = MockOptions<Record<string, unknown>>
const withVersions =
  (options: Partial<VersionOptions> = {}) =>
  (): Options => ({
    fixtures: {
      posts: [
        { id: 1, title: 'One' },
        { id: 2, title: 'Two' },
      ],
      comments: [{ id: 1, postId: 1 }],
    },
    base: '/api',
    use: [versions({ versions: all, ...options })],
  })

contract('a version in the path', withVersions(), [
  [
    'is told when it is old',
    'GET /api/v1/posts/1',
    {
      status: 200,
      headers: {
        deprecation: '@1767225600',
        sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
        link: '</api/v2/posts/1>; rel="successor-version"',
      },
      body: { id: 1, headline: 'One' },
    },
  ],
  [
    'is the last one where none is named',
    'GET /api/posts/1',
    { status: 200, headers: { deprecation: null }, body: { id: 1, title: 'One' } },
  ],
  [
    'has fields of its own in lists',
    'GET /api/v1/posts?headline=Two',
    { status: 200, body: [{ id: 2, headline: 'Two' }] },
  ],
  [
    'has fields of its own in operators',
    'GET /api/v1/posts?headline:startsWith=tw',
    { status: 200, body: [{ id: 2, headline: 'Two' }] },
  ],
  [
    'has fields of its own in orders',
    'GET /api/v1/posts?_sort=-headline&_fields=headline',
    {
      status: 200,
      headers: { 'x-mock-ignored': null },
      body: [{ headline: 'Two' }, { headline: 'One' }],
    },
  ],
  [
    'stores under the names of the fixtures',
    [{ request: 'POST /api/v1/posts', body: { headline: 'New' } }, 'GET /api/v2/posts/3'],
    { status: 200, body: { id: 3, title: 'New' } },
  ],
  [
    'locates in the same version',
    { request: 'POST /api/v1/posts', body: { headline: 'New' } },
    { status: 201, headers: { location: '/api/v1/posts/3' }, body: { id: 3, headline: 'New' } },
  ],
  [
    'patches under its own names',
    [{ request: 'PATCH /api/v1/posts/1', body: { headline: 'New' } }, 'GET /api/posts/1'],
    { status: 200, body: { id: 1, title: 'New' } },
  ],
  [
    'links to pages of the same version',
    'GET /api/v2/posts?_page=1&_limit=1',
    { status: 200, headers: { link: /<\/api\/v2\/posts\?_page=2&_limit=1>; rel="next"/ } },
  ],
  ['is an error where there is no such version', 'GET /api/v3/posts', { status: 404 }],
])

contract('a version in a header', withVersions({ by: 'header' }), [
  [
    'is found',
    { request: 'GET /api/posts/1', headers: { 'x-api-version': '1' } },
    {
      status: 200,
      headers: {
        link: '</api/posts/1>; rel="successor-version"',
        vary: /(^|, )X-API-Version(,|$)/,
      },
      body: { id: 1, headline: 'One' },
    },
  ],
  [
    'varies the answers also where it is not named',
    'GET /api/posts',
    { status: 200, headers: { link: null, vary: /(^|, )X-API-Version(,|$)/ } },
  ],
  [
    'is an error where there is no such version',
    { request: 'GET /api/posts/1', headers: { 'x-api-version': '7' } },
    { status: 400 },
  ],
])

contract('a version in the media type', withVersions({ by: 'media', default: 'v1' }), [
  [
    'is found',
    { request: 'GET /api/posts/1', headers: { accept: 'application/vnd.shop.v2+json' } },
    { status: 200, body: { id: 1, title: 'One' } },
  ],
  [
    'is the default where none is named',
    'GET /api/posts/1',
    { status: 200, body: { id: 1, headline: 'One' } },
  ],
  [
    'is an error where there is no such version',
    { request: 'GET /api/posts/1', headers: { accept: 'application/vnd.shop.v9+json' } },
    { status: 406 },
  ],
])

it.each([
  [{ versions: { v1: { deprecated: 'soon' } } }, '"deprecated" cannot be "soon"'],
  [{ versions: { v1: { successor: 'v2' } } }, '"successor" cannot be "v2"'],
  [{ version: {} }, 'Did you mean "versions"?'],
])('refuses the options %j', (options, message) => {
  expect(() => versions(options as never)).toThrow(message)
})

import { expect, it } from 'vitest'

import type { MockRequest } from '../../../../src/core/http/contract/messages.ts'
import { withCookies } from '../../../../src/faces/msw/handlers.ts'

const rows: [string, string | undefined, Record<string, string>, string | undefined][] = [
  ['adds the cookies of MSW', undefined, { a: '1', b: '2' }, 'a=1; b=2'],
  ['keeps an existing header', 'a=1', { a: '2' }, 'a=1'],
  [
    'replaces commas between cookies by semicolons',
    'a=1, b=2; Path=/, c=',
    { a: '1' },
    'a=1; b=2; Path=/; c=',
  ],
  ['keeps the comma of a value', 'a=1,2; b=Wed, 21 Oct', { a: '1' }, 'a=1,2; b=Wed, 21 Oct'],
  ['adds no header without cookies', undefined, {}, undefined],
  ['encodes separators', undefined, { a: 'x; y,z' }, 'a=x%3B%20y%2Cz'],
  ['encodes percent signs', undefined, { a: '%3B' }, 'a=%253B'],
  ['keeps all other characters', undefined, { a: 'e30.eyJ9_-+/==' }, 'a=e30.eyJ9_-+/=='],
]

it.each(rows)('%s', (_title, header, cookies, expected) => {
  const request: MockRequest = {
    method: 'GET',
    path: '/',
    search: '',
    origin: 'http://a.test',
    headers: header === undefined ? {} : { cookie: header },
    text: () => '',
    form: () => [],
  }
  expect(withCookies(request, cookies).headers['cookie']).toBe(expected)
})

import { expect, it } from 'vitest'

import { createMock } from '../../../../../src/index.ts'

it.each([
  [
    'names the unknown field, and the nearest',
    '_sort=titel',
    'ignored "_sort": no field "titel", did you mean "title"?',
  ],
  [
    'names an unknown field without a near one',
    '_fields=id,nope',
    'ignored "_fields": no field "nope"',
  ],
  ['suggests the field of a filter', 'titel=Hello', 'ignored "titel": did you mean "title"?'],
  ['suggests no field where none is near', 'nope=1', 'ignored "nope"'],
])('the log %s', async (_title, search, reason) => {
  const mock = createMock({ fixtures: { posts: [{ id: 1, title: 'Hello' }] } })
  await mock.fetch(new Request(`http://localhost/posts?${search}`))
  expect(mock.log.at(-1)?.reason).toBe(reason)
})

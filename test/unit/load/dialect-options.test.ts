import { describe, expect, it } from 'vitest'

import { loadMock } from '../../../src/node.ts'
import { createFolder } from '../loader/folder.ts'

const fixtures = { 'db.json': { posts: [{ id: 1, viewCount: 2 }] } }

/** The list of posts of a mock with this dialect in its configuration file. */
async function listIn(dialect: unknown): Promise<unknown> {
  const cwd = createFolder({ ...fixtures, 'mock.config.json': { fixtures: 'db.json', dialect } })
  const mock = await loadMock(`${cwd}/mock.config.json`)
  return (await mock.fetch('http://x/posts')).json()
}

describe('the dialect of a configuration file', () => {
  it.each<[dialect: unknown, expected: unknown]>([
    [
      { rest: { list: { data: '$items', total: '$total' }, key: 'snake_case' } },
      { data: [{ id: 1, view_count: 2 }], total: 1 },
    ],
    [
      'django-rest-framework',
      { count: 1, next: null, previous: null, results: [{ id: 1, viewCount: 2 }] },
    ],
    [
      { rest: { preset: 'django-rest-framework', key: 'snake_case' } },
      { count: 1, next: null, previous: null, results: [{ id: 1, view_count: 2 }] },
    ],
    ['nestjsx-crud', [{ id: 1, viewCount: 2 }]],
    ['laravel', expect.objectContaining({ data: [{ id: 1, viewCount: 2 }] })],
    ['spring-data-rest', expect.objectContaining({ page: expect.any(Object) })],
  ])('can be %j', async (dialect, expected) => {
    expect(await listIn(dialect)).toEqual(expected)
  })

  it.each<[dialect: unknown, message: RegExp]>([
    ['larvel', /Failed to find the dialect "larvel"\. Did you mean "laravel"\?/],
    [
      { rest: { preset: 'spring' } },
      /Failed to read the options of "rest": there is no preset "spring"\. Did you mean "spring-data-rest"\?/,
    ],
    [
      { rest: { list: '$item' } },
      /"list" has the unknown variable "\$item"\. Did you mean "\$items"\?/,
    ],
    [{ laravel: {} }, /"dialect" cannot be \{"laravel":\{\}\}\. .*an object such as \{"rest":/],
  ])('cannot be %j', async (dialect, message) => {
    await expect(listIn(dialect)).rejects.toThrow(message)
  })
})

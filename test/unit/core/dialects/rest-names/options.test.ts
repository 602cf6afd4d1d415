import { describe, expect, it } from 'vitest'

import {
  type Dialect,
  laravel,
  rest,
  type RestOptions,
  simpleRest,
} from '../../../../../src/dialects.ts'
import { createMock } from '../../../../../src/index.ts'

describe('rest as a function', () => {
  it('is a dialect, too', async () => {
    expect(rest.name).toBe('rest')
    const copy: Dialect = { ...rest, name: 'copy' }
    expect(Object.keys(copy)).toContain('parseList')
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] }, dialect: rest })
    expect(await (await mock.fetch('http://x/posts')).json()).toEqual([{ id: 1 }])
  })

  it.each<[options: unknown, message: RegExp]>([
    [
      { lists: 1 },
      /^Failed to read the options of "rest": there is no "lists"\. Did you mean "list"\?$/,
    ],
    [{ key: 'snake' }, /"key" cannot be "snake"\. Please give one of camelCase, snake_case/],
    [
      { parameters: { pages: 'p' } },
      /^Failed to read "parameters" in the options of "rest": there is no "pages"\. Did you mean "page"\?$/,
    ],
    [
      { parameters: { page: true } },
      /"page" cannot be true\. Please give a text that is not empty/,
    ],
    [
      { parameters: { page: 'p', limit: 'p' } },
      /"page" and "limit" are both named "p"\. Please rename one\./,
    ],
    [
      { parameters: { sort: 'sort=$fiel' } },
      /"sort=\$fiel" has the unknown variable "\$fiel"\. Did you mean "\$field"\?/,
    ],
    [{ pages: { sizes: 3 } }, /"pages" in the options of "rest": there is no "sizes"/],
    [
      { list: { data: '$item' } },
      /"list" has the unknown variable "\$item"\. Did you mean "\$items"\?$/,
    ],
    [
      { record: '$items' },
      /"record" has the unknown variable "\$items"\. Known: \$record, \$fields, /,
    ],
    [{ list: () => [] }, /"list" cannot be function\. Please give a template/],
    [{ filters: ['$name'] }, /"\$name" has the unknown variable "\$name"/],
    [
      { filters: ['filter'] },
      /the filter "filter" has no "\$field"\. Please say where the field is\./,
    ],
    [
      { operators: { $x: 'equals' } },
      /"operators" cannot be .*an operator, also with "not " in front/,
    ],
    [{ statuses: { 422: 9 } }, /"statuses" cannot be .*a status from 200 to 599/],
    [{ headers: { 'X Y': '' } }, /"headers" cannot have the name "X Y"/],
    [
      { preset: 'laravel' },
      /"preset" is no preset\. Please give one from "fixtura\/dialects", such as laravel\./,
    ],
    [{ preset: simpleRest }, /"preset" is no preset/],
  ])('refuses %j', (options, message) => {
    expect(() => rest(options as RestOptions)).toThrow(message)
  })

  it('extends a preset, which stays as it is', async () => {
    const other = rest({ preset: laravel, pages: { size: 1 } })
    const fixtures = { posts: [{ id: 1 }, { id: 2 }] }
    const sizes = [other, laravel].map(async (dialect) => {
      const response = await createMock({ fixtures, dialect }).fetch('http://x/posts')
      return ((await response.json()) as { meta: { per_page: number } }).meta.per_page
    })
    expect(await Promise.all(sizes)).toEqual([1, 15])
  })
})

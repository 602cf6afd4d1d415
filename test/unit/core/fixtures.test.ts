import { describe, expect, it } from 'vitest'

import { createMock } from '../../../src/index.ts'

/** The names of the resources that are made of files with these paths. */
function namesOf(...paths: string[]): string[] {
  const fixtures = Object.fromEntries(paths.map((path) => [path, [{ id: 1 }]]))
  return Object.keys(createMock({ fixtures }).db)
}

describe('the paths of an import.meta.glob', () => {
  it.each([
    [
      'lose the folder named fixtures',
      ['./fixtures/posts.json', './fixtures/users.json'],
      ['posts', 'users'],
    ],
    ['lose all up to the last such folder', ['/a/fixtures/b/fixtures/posts.json'], ['posts']],
    [
      'keep the folders in it',
      ['../fixtures/posts.json', '../fixtures/v1/posts.json'],
      ['posts', 'v1/posts'],
    ],
    [
      'lose the folder that they share',
      ['/src/mocks/posts.json', '/src/mocks/users.json'],
      ['posts', 'users'],
    ],
    [
      'keep the folders below it',
      ['/src/mocks/posts.json', '/src/mocks/v1/tags.json'],
      ['posts', 'v1/tags'],
    ],
    ['lose no part of a name', ['/mocks/posts.json', '/mocks/pages.json'], ['posts', 'pages']],
    ['lose the folder of a single one', ['/src/mocks/posts.json'], ['posts']],
    ['are names where there is no folder', ['posts.json'], ['posts']],
    ['lose any ending', ['/m/a.json5', '/m/b.jsonc', '/m/c.js', '/m/d.mjs'], ['a', 'b', 'c', 'd']],
    [
      'are left out with a dot or an underscore in front',
      ['/m/a.json', '/m/_b.json', '/m/.c.json', '/m/_d/e.json'],
      ['a'],
    ],
    ['are left out where they are schemas', ['/m/a.json', '/m/a.schema.json'], ['a']],
  ])('%s', (_, paths, names) => {
    expect(namesOf(...paths)).toEqual(names)
  })

  it('lead to the default of a module', async () => {
    const url = 'data:text/javascript,export default [{ "id": 7 }]'
    const fixtures = { './fixtures/one.js': (await import(url)) as Record<string, never> }
    expect(createMock<{ one: { id: number }[] }>({ fixtures }).db.one.all()).toEqual([{ id: 7 }])
  })

  it('cannot be two of one name', () => {
    expect(() => namesOf('/m/posts.json', '/m/posts.js')).toThrow(
      'Failed to load "/m/posts.js": there is another fixture for "posts". Please keep one.',
    )
  })

  it('have to be loaded', () => {
    const fixtures = { './posts.json': () => Promise.resolve({}) }
    expect(() => createMock({ fixtures })).toThrow(
      'Failed to load "./posts.json": it is a function; please load an import.meta.glob with { eager: true }.',
    )
  })

  it('have to be there where they come with a source', () => {
    const fixtures = { data: Promise.resolve({}), subscribe: () => () => {} }
    expect(() => createMock({ fixtures })).toThrow('Failed to load "fixtures": it is no JSON')
  })
})

describe('the names of plain data', () => {
  it('may have slashes around them, and $schema is none', () => {
    expect(namesOf('/posts/', 'v1/tags', '$schema')).toEqual(['posts', 'v1/tags'])
  })
})

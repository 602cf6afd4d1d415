import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { describe, expect, it } from 'vitest'

import type { Diagnostic } from '../../../src/core/fixtures/source.ts'
import { loadFixtures, type LoadOptions } from '../../../src/loader/load.ts'
import { canLink, createFolder, type Files } from './folder.ts'

describe('loadFixtures', () => {
  const posts = [{ id: 1, title: 'a' }]

  /** Rows whose paths are those of all their files, unless they name others. */
  const sound: [title: string, files: Files, expected: object, paths?: string[]][] = [
    [
      'a collection, a singleton and a document',
      { 'f/posts.json': posts, 'f/profile.json': { a: 1 }, 'f/n.json': '7' },
      { posts, profile: { a: 1 }, n: 7 },
    ],
    ['sub-folders as path segments', { 'f/v1/a/posts.json': posts }, { 'v1/a/posts': posts }],
    [
      'a database file named by hand',
      { 'db.json': { posts, profile: {}, n: 1 } },
      { posts, profile: {}, n: 1 },
    ],
    [
      'a name with a slash in a database',
      { 'db.json': { 'v1/posts': posts } },
      { 'v1/posts': posts },
    ],
    [
      'several paths together',
      { 'f/a.json': [], 'g/b.json': [], 'db.json': { c: [] } },
      { a: [], b: [], c: [] },
    ],
    [
      'an array in a file named by hand as a resource',
      { 'f/posts.json': posts },
      { posts },
      ['f/posts.json'],
    ],
    [
      'the files of a folder that are all named',
      {
        'f/db.json': { users: [{ id: 1 }], version: 1 },
        'f/posts.json': posts,
        'f/posts.schema.json': { type: 'object' },
        'f/profile.json': { name: 'Ada', tags: ['a'] },
        'f/settings.json': { theme: { dark: true } },
        'f/n.json': '7',
        'f/c.cjs': 'module.exports = () => [{ id: 1 }]',
      },
      {
        c: [{ id: 1 }],
        users: [{ id: 1 }],
        version: 1,
        n: 7,
        posts,
        profile: { name: 'Ada', tags: ['a'] },
        settings: { theme: { dark: true } },
      },
      [
        'f/c.cjs',
        'f/db.json',
        'f/n.json',
        'f/posts.json',
        'f/posts.schema.json',
        'f/profile.json',
        'f/settings.json',
      ],
    ],
    [
      'a database in a folder, with objects and plain values beside its collections',
      {
        'f/db.json': { $schema: 'x', posts, comments: [], profile: { a: 1 }, n: 1, _note: 'x' },
        'f/users.json': posts,
      },
      { posts, comments: [], profile: { a: 1 }, n: 1, users: posts },
    ],
    [
      'a database in a folder whose records were all deleted',
      { 'f/Database.json5': { posts: [], profile: { a: 1 } } },
      { posts: [], profile: { a: 1 } },
    ],
    [
      'a database in a sub-folder',
      { 'f/v1/db.json': { posts, 'a/b': { c: 1 } } },
      { 'v1/posts': posts, 'v1/a/b': { c: 1 } },
    ],
    [
      'a database that a module exports in a folder',
      { 'f/db.cjs': 'module.exports = () => ({ posts: [{ id: 1 }], profile: {} })' },
      { posts: [{ id: 1 }], profile: {} },
    ],
    [
      'objects that are no databases, by their name or by their values',
      {
        'f/cart.json': { items: posts, total: 1 },
        'f/db.json': { host: 'a', ports: [1], replicas: { a: posts } },
        'f/my-db.json': { posts, a: {} },
        'f/v1/database.json': {},
      },
      {
        cart: { items: posts, total: 1 },
        db: { host: 'a', ports: [1], replicas: { a: posts } },
        'my-db': { posts, a: {} },
        'v1/database': {},
      },
    ],
    [
      'several databases named by hand',
      { 'a.json': { posts, profile: {} }, 'b.json': { $schema: 'x', users: [] } },
      { posts, profile: {}, users: [] },
    ],
    [
      'a database of plain values that is named with a folder',
      { 'settings.json': { theme: 'dark' }, 'f/posts.json': posts },
      { theme: 'dark', posts },
    ],
    ['one path given twice', { 'f/a.json': [] }, { a: [] }, ['f', './f/']],
    ['comments in .jsonc', { 'f/a.jsonc': '[/* x */ 1, // y\n]' }, { a: [1] }],
    ['JSON5', { 'f/a.json5': "{x: 'y', h: 0x10,}" }, { a: { x: 'y', h: 16 } }],
    [
      'a byte order mark and CRLF',
      { 'f/a.json': '\uFEFF[\r\n1\r\n]\r\n', 'f/b.json5': '\uFEFF[\r\n1,]' },
      { a: [1], b: [1] },
    ],
    ['an upper case extension', { 'f/a.JSON': [] }, { a: [] }],
    ['dots inside a name', { 'f/a.b.json': [] }, { 'a.b': [] }],
    ['data that a module exports', { 'f/a.mjs': 'export default [{ id: 1 }]' }, { a: [{ id: 1 }] }],
    ['what a function returns', { 'f/a.mjs': 'export default () => [1]' }, { a: [1] }],
    [
      'the result of an async function',
      { 'f/a.mjs': 'export default async () => [1]' },
      { a: [1] },
    ],
    [
      'module.exports',
      { 'f/package.json5': '{}', 'f/a.js': 'module.exports = () => ({ b: 1 })' },
      { a: { b: 1 }, package: {} },
    ],
    ['named exports as a database', { 'db.mjs': 'export const a = [], b = 1' }, { a: [], b: 1 }],
    [
      'dates and gaps in a module as JSON has them',
      { 'f/a.mjs': 'export default { d: new Date(0), u: undefined }' },
      { a: { d: '1970-01-01T00:00:00.000Z' } },
    ],
    [
      'no names that begin with a dot or an underscore',
      {
        'f/a.json': [],
        'f/.b.json': '!',
        'f/_c.json': '!',
        'f/_d/e.json': '!',
        'f/.g/h.json': '!',
        'f/node_modules/x.json': '!',
        'f/lost+found/x.json': '!',
      },
      { a: [] },
    ],
    [
      'no other files',
      { 'f/a.json': [], 'f/README.md': '!', 'f/a.json~': '!', 'f/b.json.tmp': '!' },
      { a: [] },
    ],
    [
      'no $schema',
      { 'f/a.json': { $schema: 'x', b: 1 }, 'db.json': { $schema: 'x', c: [] } },
      { a: { b: 1 }, c: [] },
    ],
    ['no hidden keys of a database', { 'db.json': { a: 1, _b: 2, '.c': 3 } }, { a: 1 }],
    ['no __proto__ of a database', { 'db.json': '{"a":1,"__proto__":{"x":1}}' }, { a: 1 }],
    [
      'arrays of arrays and an empty array',
      { 'f/a.json': [[1], []], 'f/b.json': [] },
      { a: [[1], []], b: [] },
    ],
    [
      'records without ids',
      { 'f/a.json': [{}, { id: null }, { id: 0 }] },
      { a: [{}, { id: null }, { id: 0 }] },
    ],
  ]

  it.each(sound)('reads %s', async (_title, files, expected, paths) => {
    const { sources, diagnostics } = await load(files, paths)
    expect(diagnostics).toEqual([])
    expect(Object.fromEntries(sources.map(({ name, value }) => [name, value]))).toEqual(expected)
  })

  const broken: [title: string, files: Files, expected: string | string[], paths?: string[]][] = [
    [
      'JSON that does not parse',
      { 'f/a.json': '[\n  {"id": 1},\n]' },
      'f/a.json:3:1 error expected a value, found "]"',
    ],
    ['an empty file', { 'f/a.json': '' }, 'f/a.json:1:1 error the file is empty'],
    [
      'a JSON5 file that is wrong on its first line',
      { 'f/a.json5': '[1, ?]' },
      "f/a.json5:1:5 error invalid character '?'",
    ],
    ['an empty JSON5 file', { 'f/a.json5': ' ' }, 'f/a.json5:1:1 error the file is empty'],
    [
      'JSON5 that does not parse',
      { 'f/a.json5': "{\r\n  a: 'x\n'}" },
      "f/a.json5:2:8 error invalid character '\\n'",
    ],
    [
      'a number that JSON cannot represent',
      { 'f/a.json5': '[1,\n -Infinity]' },
      'f/a.json5:2:2 error -Infinity is not a JSON value',
    ],
    [
      'a file in another encoding',
      { 'f/a.json': Buffer.from('\uFEFF[]', 'utf16le') },
      'f/a.json error it is not UTF-8 text',
    ],
    [
      'duplicate ids',
      { 'f/a.json': '[\r\n{"id":1},\r\n{"id":2},\r\n{"id":"1"},{"id":1}]' },
      [
        'f/a.json:4:18 error the id "1" is used twice, first at 2:7',
        'f/a.json:4:7 error the id "1" is used twice, first at 2:7',
      ],
    ],
    [
      'many wrong ids of two kinds',
      { 'f/a.json': `[${'\n{"id":{}},'.repeat(12)}${'\n{"id":1},'.repeat(11)}{"id":2}]` },
      [
        ...Array.from({ length: 10 }, (_, at) => {
          const more = at === 9 ? ' (and 2 more)' : ''
          return `f/a.json:${at + 2}:7 error an id is a string or a number, but "id" holds an object${more}`
        }),
        ...Array.from({ length: 10 }, (_, at) => {
          return `f/a.json:${at + 15}:7 error the id "1" is used twice, first at 14:7`
        }),
      ].toSorted(),
    ],
    [
      'duplicate ids in a database',
      { 'db.json5': '{a: [{id: 1}, {id: 1}]}' },
      'db.json5:1:20 error the id "1" is used twice, first at 1:11',
    ],
    [
      'an id that is an object',
      { 'f/a.json': '[{"id":{}}]' },
      'f/a.json:1:8 error an id is a string or a number, but "id" holds an object',
    ],
    [
      'an id larger than 2^53 - 1',
      { 'f/a.json': '[{"id":1},{"id":12345678901234567890}]' },
      'f/a.json:1:17 warning the id 12345678901234567890 is larger than 2^53 - 1, so it may have lost digits',
    ],
    [
      'a number that would be infinite',
      { 'f/a.json': '[{"id":1},\n {"x":["9e999",-1e400]}]', 'db.json5': '{b: {c: 1e999}}' },
      [
        'db.json5:1:9 error the number 1e999 is too large',
        'f/a.json:2:16 error the number -1e400 is too large',
      ],
    ],
    [
      'numbers that lose digits, anywhere',
      {
        'f/a.json':
          '[{"id":1,"x":["9e999",{"y":0.1234567890123456789}]},\n{"id":9007199254740993}]',
        'f/b.json': '9007199254740992',
        'f/c.jsonc': '{"a": "b", // 12345678901234567890\n "c": -12345678901234567890}',
        'db.json': '{"posts":[{"at":1e5,"price":52.520006600000002,"n":1.00000000000000001}]}',
      },
      [
        'db.json:1:52 warning the number 1.00000000000000001 is served as 1',
        'f/a.json:1:28 warning the number 0.1234567890123456789 is served as 0.12345678901234568',
        'f/a.json:2:7 warning the id 9007199254740993 is larger than 2^53 - 1, so it may have lost digits',
        'f/b.json:1:1 warning the number 9007199254740992 is larger than 2^53 - 1',
        'f/c.jsonc:2:7 warning the number -12345678901234567890 is served as -12345678901234567000',
      ],
    ],
    [
      'many numbers that lose digits',
      { 'f/a.json': `[${Array.from({ length: 12 }, () => '12345678901234567890').join()}]` },
      Array.from({ length: 10 }, (_, at) => {
        const more = at === 9 ? ' (and 2 more)' : ''
        return `f/a.json:1:${2 + 21 * at} warning the number 12345678901234567890 is served as 12345678901234567000${more}`
      }).toSorted(),
    ],
    [
      'values nested too deep',
      { 'f/a.json': `[{"id":1,"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}]` },
      'f/a.json:1:28 error it is nested deeper than 1000',
    ],
    [
      'an empty id',
      { 'f/a.json': '[{"id":""}]' },
      'f/a.json:1:8 error an id is a string or a number, but "id" holds an empty string',
    ],
    [
      'an array that mixes records with other values',
      { 'f/a.json': '[{"id":1},\n 2]' },
      'f/a.json:2:2 error an array of records also holds the number 2',
    ],
    [
      'a database that is an array',
      { 'db.json': '[]' },
      'db.json:1:1 error a database file holds an object with one key for each resource, but this file holds an array',
    ],
    [
      'a database key with an empty part',
      { 'db.json': '{"a":[], "/b": []}' },
      'db.json:1:16 error the name "/b" has an empty part',
    ],
    [
      'two files for one name',
      { 'f/a.json': '[]', 'f/a.json5': '[]' },
      'f/a.json5:1:1 error "a" comes from two sources, "f/a.json" and "f/a.json5"',
    ],
    [
      'two files for one name, one of them invalid',
      { 'f/a.json': '[', 'f/a.json5': '[]' },
      [
        'f/a.json5:1:1 error "a" comes from two sources, "f/a.json" and "f/a.json5"',
        'f/a.json:1:2 error expected a value or "]", but the file ends',
      ],
    ],
    [
      'a file and a key for one name',
      { 'f/a.json': '[]', 'db.json': '{\n"a": []}' },
      'db.json:2:6 error "a" comes from two sources, "f/a.json" and "db.json#a"',
    ],
    [
      'a database with another name in a folder',
      { 'f/data.json': { a: [], b: [1] } },
      'f/data.json:1:1 warning every value is an array, so this is probably a json-server database',
    ],
    [
      'an invalid database in a folder',
      { 'f/v1/db.json': '{"a": [{"id":1},\n{"id":1}],\n"b": [{"id": 1}, 2]}' },
      [
        'f/v1/db.json:2:7 error the id "1" is used twice, first at 1:14',
        'f/v1/db.json:3:18 error an array of records also holds the number 2',
      ],
    ],
    [
      'a foreign key in a database in a sub-folder',
      { 'f/v2/db.json': '{"a": [{"id":1},\n{"bId": 2}], "b": [{"id": 1}]}' },
      'f/v2/db.json:2:9 warning "bId" is 2, but "v2/b" has no such record',
    ],
    [
      'a resource of a database in a folder that another file holds too',
      { 'f/db.json': '{\n"a": []}', 'f/a.json': '[]' },
      'f/db.json:2:6 error "a" comes from two sources, "f/a.json" and "f/db.json#a"',
    ],
    [
      'an array of one of several files named by hand',
      { 'a.json': '[{"id":1},\n{"id":1}]', 'b.json': '[]' },
      'a.json:2:7 error the id "1" is used twice, first at 1:8',
    ],
    [
      'a foreign key without a record',
      {
        'db.json':
          '{"posts":[{"id":1}],\n"comments":[{"postId":1},\n {"id":2,"postId":9},{"postId":9},{"post_id":"x"},{"postId":null}]}',
      },
      [
        'db.json:3:19 warning "postId" is 9, in 2 records, but "posts" has no such record',
        'db.json:3:46 warning "post_id" is "x", but "posts" has no such record',
      ],
    ],
    [
      'a list of foreign keys without records',
      { 'f/tags.json': [{ id: 'a' }], 'f/posts.json': '[{"tagIds":["a","b"]}]' },
      'f/posts.json:1:12 warning "tagIds" is "b", but "tags" has no such record',
    ],
    [
      'a foreign key in a subfolder',
      {
        'f/v1/categories.json': [{ id: 1 }],
        'f/categories.json': [{ id: 2 }],
        'f/v1/a.json': '[{"categoryId":2}]',
      },
      'f/v1/a.json:1:16 warning "categoryId" is 2, but "v1/categories" has no such record',
    ],
    [
      'a foreign key for a name of several words',
      {
        'f/order-items.json': '[{"id":1}]',
        'f/notes.json': '[{"id":1,"orderItemId":1},{"id":2,"order_item_id":2}]',
      },
      'f/notes.json:1:51 warning "order_item_id" is 2, but "order-items" has no such record',
    ],
    [
      'a schema without a resource',
      { 'f/posts.json': [], 'f/post.schema.json': {} },
      'f/post.schema.json:1:1 warning it describes "post", which no fixture holds',
    ],
    [
      'a module that exports nothing',
      { 'f/a.mjs': 'export default undefined' },
      'f/a.mjs error it exports no data',
    ],
    [
      'duplicate ids in a module',
      { 'f/a.mjs': 'export default [{ id: 1 }, { id: 1 }]' },
      'f/a.mjs error the id "1" is used twice, first at /0/id (at /1/id)',
    ],
    [
      'duplicate ids under a name with a slash',
      { 'db.mjs': 'export default { "v1/posts": [{ id: 1 }, { id: 1 }] }' },
      'db.mjs error the id "1" is used twice, first at /v1~1posts/0/id (at /v1~1posts/1/id)',
    ],
    [
      'a missing path',
      { 'fixtures/a.json': '[]' },
      'fixtuers error Failed to read "fixtuers": there is no such file or folder. Did you mean "fixtures"?',
      ['fixtuers'],
    ],
    [
      'a URL',
      {},
      'http://example.com/db error Failed to read "http://example.com/db": URLs are not supported. Please download it first: `curl -o db.json http://example.com/db`.',
      ['http://example.com/db'],
    ],
    [
      'a folder without fixtures',
      { 'f/README.md': '', 'f/_scenarios/x/a.json': '[]' },
      'f error the folder holds no fixtures',
    ],
    [
      'a folder with only unsupported files',
      { 'g/posts.yaml': '', 'g/v1/posts.ts': '' },
      'g error the folder holds no fixtures, only unsupported files: g/posts.yaml, g/v1/posts.ts',
    ],
    [
      'a folder with only mistyped extensions',
      { 'g/posts.jsn': '', 'g/tags.json.txt': '', 'g/posts.json~': '', 'g/a.json.bak': '' },
      'g error the folder holds no fixtures, only unsupported files: g/posts.jsn, g/tags.json.txt',
    ],
    ['an unsupported extension', { 'db.yaml': '' }, 'db.yaml error .yaml files are not supported'],
  ]

  it.each(broken)('reports %s', async (_title, files, expected, paths) => {
    const { diagnostics } = await load(files, paths)
    expect(diagnostics.map(toWords).sort()).toEqual([expected].flat())
    for (const { advice, line, frame } of diagnostics) {
      expect(advice).toMatch(/^(?:Please|Did you mean|To serve|Known)/)
      expect(frame === undefined).toBe(line === undefined)
    }
  })

  // The test runner imports modules in its own way, so that they run in a process of their own.
  const modules: [title: string, text: string, expected: string][] = [
    [
      'throws',
      '\nexport default () => {\n  throw new Error("no")\n}',
      'f/a.mjs:3:9 error it throws "no"',
    ],
    [
      'does not parse',
      'export default [\n  }',
      `f/a.mjs:2:3 error it throws "Unexpected token '}'"`,
    ],
    [
      'imports a module that does not parse',
      '\nconst text = ""\nexport default JSON.parse(text)',
      'f/a.mjs:3:21 error it throws "Unexpected end of JSON input"',
    ],
    ['exports nothing', 'const a = []', 'f/a.mjs error it exports no data'],
    [
      'exports a promise that is rejected',
      'export default Promise.reject(new Error("no"))',
      'f/a.mjs:1:31 error it throws "no"',
    ],
    [
      'exports a rejected promise beside a slow one',
      'export default { a: Promise.reject("no"), b: new Promise(() => {}) }',
      'f/a.mjs error it throws "no"',
    ],
    [
      'exports a function of a rejected promise',
      'export default async () => { throw new Error("no") }',
      'f/a.mjs:1:36 error it throws "no"',
    ],
    [
      'exports a promise that never settles',
      'export default [{ id: 1, by: new Promise(() => {}) }]',
      'f/a.mjs error it throws "It awaits a promise that never settles"',
    ],
    [
      'exports a generator',
      'export default (function* () { yield { id: 1 } })()',
      'f/a.mjs error its data is a Generator, which JSON cannot represent',
    ],
    [
      'exports a Map in a promise',
      'export default Promise.resolve([{ id: 1, tags: new Map() }])',
      'f/a.mjs error "/0/tags" is a Map, which JSON cannot represent',
    ],
    [
      'exports a method',
      'export default { id: 1, describe() {} }',
      'f/a.mjs error "/describe" is a function, which JSON cannot represent',
    ],
    [
      'exports data that refers to itself',
      'const a = {}\nexport default Object.assign(a, { a, b: a })',
      'f/a.mjs error it throws "Converting circular structure to JSON',
    ],
  ]

  it.each(modules)('reports a module that %s', (_title, text, expected) => {
    const diagnostics = loadInProcess(createFolder({ 'f/a.mjs': text }), ['f'])
    expect(diagnostics.map(toWords)).toEqual([expect.stringContaining(expected)])
  })

  it('awaits promises in the data of a module, at any depth', async () => {
    const { sources } = await load(
      {
        'db.mjs': `
          const later = (value) => new Promise((done) => setImmediate(() => done(value)))
          export const posts = later([{ id: 1, by: later({ name: later('Ada') }) }])
          export const tags = [later({ id: 1 }), { id: 2 }]
          export function later2() {}
        `,
      },
      ['db.mjs'],
    )
    expect(sources.map(({ name, value }) => [name, value])).toEqual([
      ['posts', [{ id: 1, by: { name: 'Ada' } }]],
      ['tags', [{ id: 1 }, { id: 2 }]],
    ])
  })

  it('reports every mistake of a folder at once', async () => {
    const isInFolder = (name: string): boolean => name.startsWith('f/')
    const rows = broken.filter(
      ([, files, , paths]) => !paths && Object.keys(files).every(isInFolder),
    )
    const files = rows.flatMap(([, files], index) =>
      Object.entries(files).map(([name, content]) => [name.replace('f/', `f/${index}/`), content]),
    )
    const { diagnostics } = await load(Object.fromEntries(files) as Files, ['f'])
    const expected = rows.flatMap(([, , found]) => found)
    expect(diagnostics).toHaveLength(expected.length - 1)
  })

  it('quotes the path in a suggested command', async () => {
    const { diagnostics } = await load({ 'f/my db.json': { a: [] } })
    expect(diagnostics[0]?.advice).toContain('run: npx fixtura server "f/my db.json"')
  })

  it('asks for a first fixture in a folder that holds only files of tools', async () => {
    const { diagnostics } = await load({ 'f/package.json': {}, 'f/vite.config.ts': '' })
    expect(diagnostics).toMatchObject([
      {
        message: 'Failed to load "f": the folder holds no fixtures.',
        advice: 'Please add a file such as f/posts.json that holds an array of records.',
      },
    ])
  })

  it('shows the position in a code frame', async () => {
    const { diagnostics } = await load({ 'f/a.json': '[\n  1,\n\t2 3,\n  4\n]\n' })
    expect(diagnostics[0]?.frame).toBe(
      ['  1 | [', '  2 |   1,', '> 3 | \t2 3,', '    | \t  ^', '  4 |   4', '  5 | ]'].join('\n'),
    )
  })

  it('cuts long lines around the position', async () => {
    const { diagnostics } = await load({ 'f/a.json': `["${'x'.repeat(500)}" y]` })
    const [line = '', marker = ''] = diagnostics[0]?.frame?.split('\n') ?? []
    expect(line.length).toBeLessThan(140)
    expect(line[marker.indexOf('^')]).toBe('y')
  })

  it('keeps the schemas and the scenarios apart', async () => {
    const { sources, schemas, scenarios, diagnostics } = await load(
      {
        'f/v1/posts.json': posts,
        'f/v1/posts.schema.json5': '{type: "object"}',
        'f/_scenarios/empty/v1/posts.json': [],
        'f/_scenarios/full/profile.json': { a: 1 },
        'f/_scenarios/_no/posts.json': '!',
        'f/v1/_scenarios/no/posts.json': '!',
      },
      ['f'],
    )
    expect(diagnostics).toEqual([])
    expect(sources.map((source) => source.name)).toEqual(['v1/posts'])
    expect(schemas).toEqual({ 'v1/posts': { type: 'object' } })
    expect(scenarios).toEqual({
      empty: [{ name: 'v1/posts', value: [], file: 'f/_scenarios/empty/v1/posts.json' }],
      full: [{ name: 'profile', value: { a: 1 }, file: 'f/_scenarios/full/profile.json' }],
    })
  })

  it('names the file and key of each source', async () => {
    const { sources } = await load({ 'f/a.json': [], 'db.json': { b: 1 } })
    expect(sources.map(({ file }) => file)).toEqual(['f/a.json', 'db.json#b'])
  })

  it.each([
    ['one field for all', 'key'],
    ['a field for one collection', { default: 'x', a: 'key' }],
    ['a field for the rest', { default: 'key' }],
  ])('takes the id from %s', async (_title, id) => {
    const { diagnostics } = await load(
      {
        'f/a.json': [
          { id: 1, key: 1 },
          { id: 1, key: 1 },
        ],
      },
      ['f'],
      { id },
    )
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'Failed to load "f/a.json": the id "1" is used twice, first at 4:12.',
    ])
  })

  it.runIf(canLink)('follows links, but not in a loop', async () => {
    const cwd = createFolder({ 'f/a.json': [], 'g/b.json': [1] })
    symlinkSync(join(cwd, 'g/b.json'), join(cwd, 'f/c.json'))
    symlinkSync(join(cwd, 'g'), join(cwd, 'f/d'))
    symlinkSync(join(cwd, 'f'), join(cwd, 'f/e'))
    symlinkSync(join(cwd, 'nowhere.json'), join(cwd, 'f/z.json'))
    // A broken link counts as a file; without a supported extension, the link is ignored.
    symlinkSync(join(cwd, 'nowhere'), join(cwd, 'f/README'))
    const { sources, diagnostics } = await loadFixtures(['f'], { cwd })
    expect(sources.map(({ name }) => name)).toEqual(['a', 'c', 'd/b'])
    expect(diagnostics.map(toWords)).toEqual([
      'f/z.json error Failed to read "f/z.json": the symbolic link is broken. Please remove or repair it.',
    ])
  })

  it('names files below the working directory by their relative paths', async () => {
    const cwd = createFolder({ '..f/a.json': '[', 'g/b.json': '[' })
    const { diagnostics } = await loadFixtures(['../g', '../..f'], { cwd: join(cwd, 'g') })
    const there = await loadFixtures(['..f'], { cwd })
    expect(diagnostics.map(({ file }) => file)).toEqual(['b.json', join(cwd, '..f/a.json')])
    expect(there.diagnostics.map(({ file }) => file)).toEqual(['..f/a.json'])
  })

  it('reports a file that is larger than the maximum length of a string', async () => {
    const folder = createFolder({ 'f/posts.json': '[]' })
    truncateSync(join(folder, 'f/posts.json'), 2 ** 30)
    const { diagnostics } = await loadFixtures(['f'], { cwd: folder })
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        file: 'f/posts.json',
        message:
          'Failed to read "f/posts.json": it is larger than 512 MiB, the maximum length of a string in Node.',
        advice: 'Please serve fewer records, or split it into several collections.',
      },
    ])
  })

  // Windows knows no such rights.
  it.skipIf(process.platform === 'win32')(
    'reports files and folders without read permission',
    () => {
      const cwd = createFolder({ 'f/a.json': [], 'f/g/b.json': [] })
      mkdirSync(join(cwd, 'h'))
      for (const path of ['f/a.json', 'f/g', 'h']) chmodSync(join(cwd, path), 0)
      const diagnostics = loadInProcess(cwd, ['f', 'h'])
      for (const path of ['f/g', 'h']) chmodSync(join(cwd, path), 0o700)
      expect(diagnostics.map(({ message }) => message)).toEqual([
        'Failed to read "f/g": permission denied.',
        'Failed to read "h": permission denied.',
        'Failed to read "f/a.json": permission denied.',
      ])
    },
  )

  it('reads the file again after an edit of a module', async () => {
    const cwd = createFolder({
      'a.mjs': 'export default { a: [1] }',
      'b.js': 'module.exports = { b: [1] }',
    })
    const first = await loadFixtures(['a.mjs', 'b.js'], { cwd })
    writeFileSync(join(cwd, 'a.mjs'), 'export default { a: [2] }')
    writeFileSync(join(cwd, 'b.js'), 'module.exports = { b: [2] }')
    const second = await loadFixtures(['a.mjs', 'b.js'], { cwd })
    expect([first, second].map(({ sources }) => sources.map(({ value }) => value))).toEqual([
      [[1], [1]],
      [[2], [2]],
    ])
  })
})

describe('relations that are configured', () => {
  const files = {
    'f/users.json': [{ id: 1 }],
    'f/authors.json': [{ id: 7 }],
    'f/posts.json': '[{"id":1,"writer":1,"authorId":1},{"id":2,"writer":2}]',
  }

  it('apply to keys of any name', async () => {
    const posts = { writer: 'users', authorId: { to: 'users' } }
    const { diagnostics } = await load(files, ['f'], { relations: { posts } })
    expect(diagnostics.map(({ line, column, message }) => [line, column, message])).toEqual([
      [1, 52, expect.stringContaining('"writer" is 2, but "users" has no such record')],
    ])
  })

  it('apply to keys with a space', async () => {
    const posts = { 'written by': 'users' }
    const { diagnostics } = await load(
      { ...files, 'f/posts.json': [{ id: 1, 'written by': 2 }] },
      ['f'],
      { relations: { posts } },
    )
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'Failed to load "f/posts.json": "written by" is 2, but "users" has no such record.',
    ])
  })

  it('are ignored if there is no such collection', async () => {
    const posts = { writer: 'people', authorId: 'people' }
    const { diagnostics } = await load(files, ['f'], { relations: { posts } })
    expect(diagnostics).toEqual([])
  })
})

/** Loads the given paths, or else every file and folder. */
function load(files: Files, paths = namesIn(files), options: LoadOptions = {}) {
  return loadFixtures(paths, { cwd: createFolder(files), ...options })
}

/** The files and folders at the top, in their order. */
function namesIn(files: Files): string[] {
  return [...new Set(Object.keys(files).map((name) => name.split('/')[0] ?? ''))]
}

/**
 * Loads with the built package in a process of its own, which gives up the rights of root once it has imported the
 * package, as others need not be able to read this folder.
 */
function loadInProcess(cwd: string, paths: string[]): Diagnostic[] {
  const built = pathToFileURL(join(import.meta.dirname, '../../../dist/node.js'))
  const script = `import { loadMock } from ${JSON.stringify(built.href)}
    process.getuid?.() === 0 && process.setuid(65534)
    const problems = []
    const onProblem = (problem) => problems.push(problem)
    await loadMock(${JSON.stringify(paths)}, { onProblem }).catch(() => undefined)
    console.log(JSON.stringify(problems))`
  chmodSync(cwd, 0o755)
  const args = ['--input-type=module', '-e', script]
  return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })) as Diagnostic[]
}

function toWords({ file, line, column, severity, message, advice }: Diagnostic): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  const prefix = `Failed to load "${file}": `
  if (message.startsWith(prefix)) return `${place} ${severity} ${message.slice(prefix.length, -1)}`
  return message.startsWith('Failed to read "') && !message.includes('UTF-8')
    ? `${place} ${severity} ${message} ${advice}`
    : `${place} ${severity} ${message.replace(/^Failed to read ".*": (.*)\.$/, '$1')}`
}

import { describe, expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'
import { add, start } from '../start.ts'

const posts = [{ id: 1, title: 'Hello' }]

describe('mock check', () => {
  const planted: Files = {
    'fixtures/broken.json': '[\n  { "id": 1 },\n  { "id": 2, "title": }\n]\n',
    'fixtures/twice.json': '[\n  { "id": 1 },\n  { "id": 1 }\n]\n',
    'fixtures/same.json': '[\n  { "id": 1 },\n  { "id": "1" }\n]\n',
    'fixtures/mixed.json': '[\n  { "id": 1 },\n  7\n]\n',
    'fixtures/ids.json': '[\n  { "id": { "x": 1 } }\n]\n',
    'fixtures/users.json': '[\n  { "id": 1 }\n]\n',
    'fixtures/children.json': '[\n  { "id": 1, "userId": 9 }\n]\n',
    'fixtures/empty.json': '',
    'fixtures/two.json': '[]\n',
    'fixtures/two.json5': '[]\n',
    'fixtures/data.json': '{ "a": [], "b": [] }\n',
    'fixtures/nothing.schema.json': '{}\n',
  }

  it('reports ten planted mistakes with their positions, and exits with 1', async () => {
    const io = createFakeIo({ cwd: createFolder(planted) })
    expect(await main(['check', 'fixtures'], io)).toBe(1)
    const places = io.out().matchAll(/^(fixtures\S+) (?:error|warning)$/gm)
    expect(Array.from(places, ([, place = '']) => place).toSorted()).toEqual([
      'fixtures/broken.json:3:23',
      'fixtures/children.json:2:24',
      'fixtures/data.json:1:1',
      'fixtures/empty.json:1:1',
      'fixtures/ids.json:2:11',
      'fixtures/mixed.json:3:3',
      'fixtures/nothing.schema.json:1:1',
      'fixtures/same.json:3:11',
      'fixtures/twice.json:3:11',
      'fixtures/two.json5:1:1',
    ])
    expect(io.out()).toMatch(/\n10 problems in 10 files\.\n$/)
    expect(io.err()).toBe('')
  })

  it('checks records against the schemas beside them', async () => {
    const io = createFakeIo({
      cwd: createFolder({
        'fixtures/posts.json': '[\n  { "id": 1, "title": 5 },\n  { "title": "a" },\n  {}\n]\n',
        'fixtures/posts.schema.json': {
          required: ['id', 'title'],
          properties: { title: { type: 'string' } },
        },
        'fixtures/profile.json': { theme: 1 },
        'fixtures/profile.schema.json': { properties: { theme: { type: 'text' } } },
        'fixtures/roles.json': [],
        'fixtures/roles.schema.json': [],
        'fixtures/site.json': {},
        'fixtures/site.schema.json': { minProperties: 1 },
        'fixtures/tabs.json': [],
        'fixtures/tabs.schema.json': { type: 'objct' },
        'fixtures/tags.json': [],
        'fixtures/tags.schema.json': { properties: { name: { pattern: '(' } } },
      }),
    })
    expect(await main(['check'], io)).toBe(1)
    const said = io.out().matchAll(/^(fixtures\S+ \w+)\nFailed to load "[^"]+": (.*)$/gm)
    expect(Array.from(said, ([, place, problem]) => `${place}: ${problem}`)).toEqual([
      'fixtures/posts.json:2:23 warning: "title" has to be a string, as "posts.schema.json" says. Please correct the record or the schema.',
      'fixtures/posts.json:4:3 warning: "title" is required, as "posts.schema.json" says. Please correct the record or the schema.',
      expect.stringContaining('fixtures/profile.schema.json:4:15 error: there is no type "text".'),
      'fixtures/roles.schema.json:1:1 error: it is no object. Please give a JSON Schema.',
      'fixtures/site.json:1:1 warning: a record has to have 1 or more properties, as "site.schema.json" says. Please correct the record or the schema.',
      'fixtures/tabs.schema.json:2:11 error: there is no type "objct". Did you mean "object"?',
      expect.stringContaining('fixtures/tags.schema.json:4:18 error: Invalid regular expression'),
    ])
  })

  it('runs beside a server that persists', async () => {
    const { cwd } = await start({
      'mock.config.json': { persist: true },
      'fixtures/posts.json': posts,
    })
    const io = createFakeIo({ cwd })
    expect(await main(['check'], io)).toBe(0)
    expect(io.out()).toBe('No problems: 1 resource, 1 record.\n')
  })

  it('colours problems on a terminal, but not with NO_COLOR', async () => {
    const cwd = createFolder({ 'fixtures/a.json': '[1 2]' })
    const coloured = createFakeIo({ cwd, columns: 80 })
    const plain = createFakeIo({ cwd, columns: 80, env: { NO_COLOR: '1' } })
    await main(['check'], coloured)
    await main(['check'], plain)
    expect(coloured.out()).toContain('\u001B[31m> 1 | [1 2]\u001B[39m')
    expect(plain.out()).not.toContain('\u001B')
  })

  it('warns of keys that occur twice in an object', async () => {
    const texts = {
      'fixtures/a.json': '[{"id":1,"title":"x",\n"t\\u0069tle":"y"},{"id":2,"title":"z"}]',
      'fixtures/b.json5': "// a: 1\n{a: {b: 1,\n 'b': [{c: 1}, {c: 1, /* c */ c: 2}]}}",
    }
    const io = createFakeIo({ cwd: createFolder(texts) })
    expect(await main(['check'], io)).toBe(1)
    expect(io.out().match(/^fixtures.*\n.*$/gm)).toEqual([
      'fixtures/a.json:2:14 warning\nFailed to load "fixtures/a.json": the key "title" occurs more than once in an object, so that only the last value is loaded. Please remove or rename one of the keys.',
      'fixtures/b.json5:3:7 warning\nFailed to load "fixtures/b.json5": the key "b" occurs more than once in an object, so that only the last value is loaded. Please remove or rename one of the keys.',
      'fixtures/b.json5:3:34 warning\nFailed to load "fixtures/b.json5": the key "c" occurs more than once in an object, so that only the last value is loaded. Please remove or rename one of the keys.',
    ])
  })
})

describe('the configuration file', () => {
  const json = '\uFEFF{ "fixtures": "f" }'
  const rows: [extension: string, content: string][] = [
    ['json', json],
    ['json', json.replace('{', '{ "$schema": "./node_modules/x/schema.json",')],
    ['jsonc', `${json} // mine`],
    ['json5', "{ fixtures: 'f' }"],
    ['js', "module.exports = { fixtures: 'f' }"],
    ['cjs', "module.exports = { fixtures: 'f' }"],
    ['mjs', "export default { fixtures: 'f' }"],
    ['ts', "const f: string = 'f'\nexport default { fixtures: f } satisfies object"],
    ['mts', "const f: string = 'f'\nexport default async () => ({ fixtures: f })"],
    ['cts', "const fixtures: string = 'f'\nexport = { fixtures }"],
  ]

  it.each(rows)('is found and read as .%s', async (extension, content) => {
    const cwd = createFolder({ [`mock.config.${extension}`]: content, 'f/posts.json': posts })
    const io = createFakeIo({ cwd })
    expect([await main(['check'], io), io.err()]).toEqual([0, ''])
    expect(io.out()).toBe('No problems: 1 resource, 1 record.\n')
  })

  it('is read where it is named among the paths', async () => {
    const cwd = createFolder({
      'a/mock.config.json': { fixtures: 'f', id: 'key' },
      'a/f/posts.json': posts,
      'g/tags.json': [{ key: 1 }, { key: 2 }],
    })
    const io = createFakeIo({ cwd })
    expect([await main(['check', 'a/mock.config.json'], io), io.err()]).toEqual([0, ''])
    expect([await main(['check', 'g', 'a/mock.config.json'], io), io.err()]).toEqual([0, ''])
    expect(io.out()).toBe(
      'No problems: 1 resource, 1 record.\nNo problems: 1 resource, 2 records.\n',
    )
  })

  it('is the json-server.json of json-server where there is none', async () => {
    const { io, url } = await start(
      {
        'json-server.json': {
          routes: 'routes.json',
          middlewares: ['./hello'],
          'read-only': true,
          noCors: true,
          snapshots: '.',
          id: '_id',
        },
        'hello.js': `module.exports = ${add('hello')}`,
        'routes.json': { '/blog/*': '/$1' },
        'package.json': {},
        'db.json': { posts: [{ _id: 7 }] },
      },
      'db.json',
    )
    const headers = { Origin: 'http://localhost:5173' }
    const response = await fetch(`${url}/blog/posts/7`, { headers })
    expect([response.status, response.headers.get('x-order')]).toEqual([200, 'hello'])
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
    expect((await fetch(`${url}/posts/7`, { method: 'DELETE' })).status).toBe(405)
    expect(io.err()).toBe('')
  })

  it('is a named json-server.json with the options of mock.config.*', async () => {
    const { io, url } = await start(
      {
        'conf/json-server.json': {
          p: '0',
          ro: true,
          r: 'routes.json',
          m: './hello',
          s: './site',
          d: '1',
          'foreign-key-suffix': '_ref',
        },
        'mock.config.json': { dialect: 'json-server-0', readOnly: false },
        'hello.js': `module.exports = ${add('hello')}`,
        'routes.json': { '/blog/*': '/$1' },
        'site/hi.txt': 'hi',
        'package.json': {},
        'db.json': { posts: [{ id: 1 }], comments: [{ id: 1, post_ref: 1 }] },
      },
      '-c conf/json-server.json db.json',
    )
    const response = await fetch(`${url}/blog/posts?_embed=comments&_page=1`)
    expect(response.headers.get('x-order')).toBe('hello')
    expect(response.headers.get('x-total-count')).toBe('1')
    expect(await response.json()).toEqual([{ id: 1, comments: [{ id: 1, post_ref: 1 }] }])
    expect(await (await fetch(`${url}/hi.txt`)).text()).toBe('hi')
    expect((await fetch(`${url}/posts/1`, { method: 'DELETE' })).status).toBe(403)
    expect(io.err()).toBe('')
  })

  it('is the json-server.json of the folder below mock.config.*', async () => {
    const { url } = await start(
      {
        'json-server.json': { routes: 'routes.json', id: 'key', readOnly: true },
        'mock.config.json': { dialect: 'json-server-1', readOnly: false, cwd: 'data' },
        'routes.json': { '/blog/*': '/$1' },
        'data/db.json': { posts: [{ key: 1 }] },
      },
      '',
    )
    expect(await (await fetch(`${url}/blog/posts/1`)).json()).toEqual({ key: '1' })
    expect((await fetch(`${url}/posts/1`, { method: 'DELETE' })).status).toBe(200)
  })

  it('is overridden by the options of the command line, with the named json-server.json', async () => {
    const { url } = await start(
      {
        'json-server.dev.json': { port: 1, readOnly: true },
        'mock.config.json': { dialect: 'json-server-0' },
        'db.json': { posts: [{ id: 1 }] },
      },
      '-c json-server.dev.json --dialect json-server-1',
    )
    expect(await (await fetch(`${url}/posts/1`)).json()).toEqual({ id: '1' })
  })

  it('is the named file, whatever other files exist', async () => {
    const cwd = createFolder({
      'mock.config.js': '',
      'mock.config.json': { fixtures: 'f' },
      'f/posts.json': posts,
    })
    const io = createFakeIo({ cwd })
    expect([await main(['check', '--config', 'mock.config.json'], io), io.err()]).toEqual([0, ''])
  })

  it('cannot be named twice', async () => {
    const io = createFakeIo()
    expect(await main(['check', 'mock.config.js', '--config', 'b.json'], io)).toBe(1)
    expect(io.err()).toBe(
      'Failed to read the configuration: there are several files, "b.json" and "mock.config.js". Please name one.\n',
    )
  })
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'

const posts = [{ id: 1, title: 'Hello' }]

describe('mock init', () => {
  it('writes the configuration as JSON with its schema', async () => {
    const cwd = createFolder({})
    expect(await main(['init', '--json'], createFakeIo({ cwd }))).toBe(0)
    expect(JSON.parse(readFileSync(join(cwd, 'mock.config.json'), 'utf8'))).toEqual({
      $schema: './node_modules/fixtura/schemas/config.json',
      fixtures: 'fixtures/',
    })
    expect(await main(['check'], createFakeIo({ cwd }))).toBe(0)
  })

  const script = '/* Mock Service Worker. */ 2'
  const msw = {
    'node_modules/msw/package.json': { name: 'msw', version: '2.0.0' },
    'node_modules/msw/mockServiceWorker.js': script,
  }

  it('writes fixtures and a configuration that pass the check', async () => {
    const cwd = createFolder({ 'package.json': { type: 'module' } })
    const io = createFakeIo({ cwd })
    expect(await main(['init'], io)).toBe(0)
    expect(io.out()).toBe(
      [
        'wrote  fixtures/posts.json',
        'wrote  fixtures/comments.json',
        'wrote  fixtures/profile.json',
        'wrote  mock.config.js',
        '',
        'Next: npx fixtura server',
        '',
      ].join('\n'),
    )
    const checked = createFakeIo({ cwd })
    expect(await main(['check'], checked)).toBe(0)
    expect(checked.out()).toBe('No problems: 3 resources, 6 records.\n')
  })

  it('writes mock.config.mjs in a CommonJS package', async () => {
    const cwd = createFolder()
    await main(['init'], createFakeIo({ cwd }))
    expect(readdirSync(cwd).toSorted()).toEqual(['fixtures', 'mock.config.mjs'])
  })

  it('treats a folder of hidden files as empty', async () => {
    const cwd = createFolder({ 'fixtures/.gitkeep': '' })
    await main(['init'], createFakeIo({ cwd }))
    expect(readdirSync(join(cwd, 'fixtures')).toSorted()).toEqual([
      '.gitkeep',
      'comments.json',
      'posts.json',
      'profile.json',
    ])
  })

  it('writes the worker script to the folders in package.json', async () => {
    const other = createFolder()
    const cwd = createFolder({
      ...msw,
      'package.json': { msw: { workerDirectory: ['a/', other] } },
    })
    const io = createFakeIo({ cwd })
    await main(['init'], io)
    const [one, two] = ['a/mockServiceWorker.js', join(other, 'mockServiceWorker.js')]
    expect(io.out()).toContain(`\nwrote  ${one}\nwrote  ${two}\n`)
    expect([existsSync(join(cwd, one)), existsSync(two)]).toEqual([true, true])
  })

  it('overwrites nothing', async () => {
    const own = { 'fixtures/mine.json': [], 'mock.config.json': { base: '/api' } }
    const cwd = createFolder(own)
    const io = createFakeIo({ cwd })
    expect(await main(['init'], io)).toBe(0)
    expect(io.out()).toMatch(/^kept {3}fixtures\/\nkept {3}mock\.config\.json\n/)
    expect(readdirSync(join(cwd, 'fixtures'))).toEqual(['mine.json'])
    expect(JSON.parse(readFileSync(join(cwd, 'mock.config.json'), 'utf8'))).toEqual({
      base: '/api',
    })
  })

  it('keeps all existing configuration files', async () => {
    const cwd = createFolder({ 'mock.config.json': {}, 'mock.config.ts': '' })
    const io = createFakeIo({ cwd })
    expect(await main(['init'], io)).toBe(0)
    expect(io.out()).toMatch(/\nkept {3}mock\.config\.json\nkept {3}mock\.config\.ts\n\n/)
    expect(readdirSync(cwd)).toHaveLength(3)
  })

  it('uses an existing database', async () => {
    const cwd = createFolder({ 'db.json': { posts }, 'package.json': {} })
    const io = createFakeIo({ cwd })
    expect(await main(['init'], io)).toBe(0)
    expect(io.out()).toBe('kept   db.json\nwrote  mock.config.mjs\n\nNext: npx fixtura server\n')
    expect(existsSync(join(cwd, 'fixtures'))).toBe(false)
    const checked = createFakeIo({ cwd })
    expect([await main(['check'], checked), checked.out()]).toEqual([
      0,
      'No problems: 1 resource, 1 record.\n',
    ])
  })

  it('uses existing fixtures where there is also a database', async () => {
    const cwd = createFolder({ 'db.json': { posts }, 'fixtures/tags.json': [] })
    const io = createFakeIo({ cwd })
    await main(['init'], io)
    expect(io.out()).toMatch(/^kept {3}fixtures\/\nwrote {2}mock\.config\.mjs\n/)
    const checked = createFakeIo({ cwd })
    expect(await main(['check'], checked)).toBe(0)
    expect(checked.out()).toBe('No problems: 1 resource, 0 records.\n')
  })

  const workers: [title: string, files: Files, path: string, expected: string][] = [
    ['writes the worker script of MSW', {}, 'public', script],
    [
      'writes it to the folder of MSW in package.json',
      { 'package.json': { msw: { workerDirectory: ['static'] } } },
      'static',
      script,
    ],
    [
      'replaces a script of another version',
      { 'public/mockServiceWorker.js': '/* Mock Service Worker. */ 1' },
      'public',
      script,
    ],
    [
      'keeps another file of that name',
      { 'public/mockServiceWorker.js': 'mine' },
      'public',
      'mine',
    ],
  ]

  it.each(workers)('%s', async (_title, files, path, expected) => {
    const cwd = createFolder({ ...msw, ...files })
    await main(['init'], createFakeIo({ cwd }))
    expect(readFileSync(join(cwd, path, 'mockServiceWorker.js'), 'utf8')).toBe(expected)
  })

  const inTheWay: [title: string, files: Files, name: string][] = [
    ['fixtures', { fixtures: 'mine' }, 'fixtures'],
    ['the folder of the worker script', { ...msw, public: 'mine' }, 'public'],
  ]

  it.each(inTheWay)('says what is in the place of %s', async (_title, files, name) => {
    const io = createFakeIo({ cwd: createFolder(files) })
    expect(await main(['init'], io)).toBe(1)
    expect(io.err()).toBe(
      `Failed to write "${name}": a file or a broken link is in the place of a folder. Please rename or remove it.\n`,
    )
  })

  it.each([3, ['a', null], {}, ''])(
    'refuses %j as the folder of the worker script',
    async (given) => {
      const cwd = createFolder({ ...msw, 'package.json': { msw: { workerDirectory: given } } })
      const io = createFakeIo({ cwd })
      expect(await main(['init'], io)).toBe(1)
      expect(io.err()).toBe(
        `Failed to read "msw.workerDirectory" in package.json: it cannot be ${JSON.stringify(given)}. Please give a folder, or a list of folders.\n`,
      )
      expect(readdirSync(cwd)).toEqual(['node_modules', 'package.json'])
    },
  )

  it('ignores a package.json that is not an object', async () => {
    const cwd = createFolder({ 'package.json': 'null' })
    expect(await main(['init'], createFakeIo({ cwd }))).toBe(0)
  })

  it('creates no public folder without MSW', async () => {
    const cwd = createFolder()
    await main(['init'], createFakeIo({ cwd }))
    expect(existsSync(join(cwd, 'public'))).toBe(false)
  })
})

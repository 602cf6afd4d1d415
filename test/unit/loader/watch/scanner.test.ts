import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import type { FixtureChange } from '../../../../src/loader/watch/change.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'
import { createScanner, type Scanner } from '../../../../src/loader/watch/scanner.ts'
import { canLink, createFolder, type Files } from '../folder.ts'

describe('a scanner', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('runs one scan for all calls that wait for the same scan', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[]', 'f/b.json': '[]' })
    const waiting = scanner.scan()
    expect(scanner.scan()).toBe(waiting)
    await waiting
    writeFileSync(path('f/a.json'), '[1]')
    const running = scanner.scan()
    await Promise.resolve()
    writeFileSync(path('f/b.json'), '[2]')
    // A scan that runs may have passed the file already.
    await Promise.all([running, scanner.scan()])
    expect(changes.flatMap(({ sources }) => sources.map(({ value }) => value))).toEqual([[1], [2]])
  })

  it('knows from which source a resource is served', async () => {
    const { path, scanner } = await open({ 'f/a.json': '[]', 'f/b.json': '[]' })
    const [a] = scanner.current().files.get(path('f/a.json'))?.sources ?? []
    if (!a) throw new Error('no source')
    expect(scanner.isServed(a)).toBe(true)
    writeFileSync(path('f/a.json'), '[1]')
    await settle(scanner)
    expect(scanner.isServed(a)).toBe(false)
    expect(scanner.isServed({ ...a, file: 'f/c.json' })).toBe(false)
  })

  it('removes a file only if it is still gone when the disk is quiet', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[]', 'f/b.json': '[]' })
    rmSync(path('f/a.json'))
    expect(await scanner.scan()).toBe(150)
    vi.advanceTimersByTime(100)
    expect(await scanner.scan()).toBe(50)
    vi.advanceTimersByTime(49)
    expect(await scanner.scan()).toBe(1)
    expect(changes).toEqual([])
    writeFileSync(path('f/a.json'), '[]')
    await settle(scanner)
    expect(changes).toEqual([])
    rmSync(path('f/a.json'))
    await lookInQuiet(scanner)
    expect(changes).toEqual([])
    expect(await lookInQuiet(scanner)).toBe(undefined)
    expect(changes).toMatchObject([{ removed: ['a'] }])
  })

  it('keeps the data of a file named by hand while the file is gone', async () => {
    const { path, scanner, changes } = await open({ 'db.json': { a: [one] } })
    rmSync(path('db.json'))
    await settle(scanner)
    expect(changes.splice(0)).toMatchObject([{ removed: [], reported: [{ file: 'db.json' }] }])
    expect(valueOf(scanner, 'a')).toEqual([one])
    writeFileSync(path('db.json'), JSON.stringify({ a: [one, two] }))
    await settle(scanner)
    expect(changes).toMatchObject([{ sources: [{ value: [one, two] }], resolved: ['db.json'] }])
  })

  it('forgets that a file was gone as soon as the file is back', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': [one] })
    rmSync(path('f/a.json'))
    await scanner.scan()
    writeFileSync(path('f/a.json'), JSON.stringify([two]))
    await scanner.scan()
    rmSync(path('f/a.json'))
    expect(await lookInQuiet(scanner)).toBe(150)
    expect(changes).toMatchObject([{ sources: [{ value: [two] }], removed: [] }])
  })

  it('reports a broken file only when the disk is quiet', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[]' })
    writeFileSync(path('f/a.json'), '[')
    await scanner.scan()
    await scanner.scan()
    expect(changes).toEqual([])
    await lookInQuiet(scanner)
    expect(changes).toMatchObject([{ reported: [{ file: 'f/a.json' }] }])
  })

  it('settles a broken file by a full scan', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[0]' })
    await settle(scanner)
    writeFileSync(path('f/a.json'), '[')
    await scanner.scan()
    for (let turn = 0; turn < 3; turn++) {
      vi.advanceTimersByTime(150)
      await scanner.scan()
    }
    expect(changes).toMatchObject([{ reported: [{ file: 'f/a.json' }] }])
  })

  const saves: [title: string, text: string, expected: Json][] = [
    ['a changed record', '[{"id":1,"t":"a"},{"id":2,"t":"new"}]', [one, { id: 2, t: 'new' }]],
    ['a new record', '[{"id":1,"t":"a"},{"id":3},{"id":2,"t":"b"}]', [one, { id: 3 }, two]],
    ['a removed record', '[{"id":1,"t":"a"}]', [one]],
    ['another layout of a changed list', '[ { "id":1, "t":"a" } ]', [one]],
    ['another id', '[{"id":1,"t":"a"},{"id":"2","t":"b"}]', [one, { id: '2', t: 'b' }]],
    ['an empty list', '[]', []],
    ['another kind', '{"a":1}', { a: 1 }],
  ]

  it.each(saves)('takes over %s, and nothing else', async (_title, text, expected) => {
    const { path, scanner, changes } = await open({ 'f/a.json': [one, two], 'f/b.json': '[]' })
    writeFileSync(path('f/a.json'), text)
    expect(await scanner.scan()).toBe(150)
    await settle(scanner)
    expect(changes).toMatchObject([{ sources: [{ name: 'a', value: expected }], removed: [] }])
  })

  it('takes over one save after another, and only the changed list', async () => {
    const { path, scanner, changes } = await open({ 'db.json': { a: [one, two], b: [one] } })
    const b = valueOf(scanner, 'b')
    let list: JsonRecord[] = [one, two]
    for (let save = 0; save < 20; save++) {
      list = [...list, { id: save + 10 }]
      writeFileSync(path('db.json'), JSON.stringify({ a: list, b: [one] }))
      await scanner.scan()
      expect(valueOf(scanner, 'a')).toEqual(list)
    }
    expect(changes).toHaveLength(20)
    expect(changes.every(({ sources }) => sources.every(({ name }) => name === 'a'))).toBe(true)
    expect(valueOf(scanner, 'b')).toBe(b)
    await settle(scanner)
    expect(changes).toHaveLength(20)
  })

  const halves: [title: string, text: string][] = [
    ['an empty file', ''],
    ['half a file', '[{"id":1,"t":"a"},{"id":2,'],
    ['half a file that ends like a whole one', '[{"id":1,"t":["a"]'],
    ['a file that does not parse', '[{"id":1,"t":"a"},{"id":2,"t":b"}]'],
  ]

  it.each(halves)('waits for the end of the save of %s', async (_title, text) => {
    const { path, scanner, changes } = await open({ 'f/a.json': [one, two] })
    writeFileSync(path('f/a.json'), text)
    expect(await scanner.scan()).toBe(150)
    vi.advanceTimersByTime(100)
    expect(await scanner.scan()).toBe(50)
    expect(changes).toEqual([])
    writeFileSync(path('f/a.json'), JSON.stringify([two]))
    await scanner.scan()
    expect(changes).toMatchObject([{ sources: [{ value: [two] }], reported: [] }])
    writeFileSync(path('f/a.json'), text)
    await scanner.scan()
    await settle(scanner)
    expect(changes.slice(1)).toMatchObject([{ reported: [{ file: 'f/a.json' }] }])
  })

  const unsound: [title: string, text: string, message: string][] = [
    ['an id that two records have', '[{"id":1,"t":"a"},{"id":1,"t":"b"}]', 'is used twice'],
    ['an id that is an object', '[{"id":1,"t":"a"},{"id":{},"t":"b"}]', 'an id is'],
    ['an element that is no record', '[{"id":1,"t":"a"},7]', 'an array of records'],
  ]

  it.each(unsound)('keeps the last good data for %s', async (_title, text, message) => {
    const { path, scanner, changes } = await open({ 'f/a.json': JSON.stringify([one, two]) })
    writeFileSync(path('f/a.json'), text)
    await scanner.scan()
    expect(changes).toEqual([])
    await settle(scanner)
    expect(changes).toMatchObject([{ sources: [] }])
    expect(changes[0]?.reported[0]?.message).toContain(message)
    writeFileSync(path('f/a.json'), JSON.stringify([two]))
    await scanner.scan()
    expect(changes[1]).toMatchObject({ sources: [{ value: [two] }], resolved: ['f/a.json'] })
  })

  it('warns of a number that loses digits in one saved record of many', async () => {
    const records = Array.from({ length: 600 }, (_, id): JsonRecord => ({ id, n: 0.5 }))
    const { path, scanner, changes } = await open({ 'f/a.json': JSON.stringify(records) })
    const text = JSON.stringify(records.with(3, { id: 3, n: 1 }))
    writeFileSync(path('f/a.json'), text.replace('"n":1}', '"n":12345678901234567890}'))
    await scanner.scan()
    await settle(scanner)
    expect(changes.flatMap(({ reported }) => reported)).toMatchObject([
      { severity: 'warning', file: 'f/a.json', line: 1, column: text.indexOf('"n":1}') + 5 },
    ])
  })

  it('finds a file without its error at once', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': [one] })
    writeFileSync(path('f/a.json'), '[ broken')
    await settle(scanner)
    expect(changes.splice(0)).toMatchObject([{ reported: [{ file: 'f/a.json' }], resolved: [] }])
    writeFileSync(path('f/a.json'), JSON.stringify([two, one]))
    await scanner.scan()
    expect(scanner.current().diagnostics).toEqual([])
    expect(changes).toMatchObject([
      { sources: [{ value: [two, one] }], resolved: ['f/a.json'], removed: [] },
    ])
  })

  it('keeps the error of a broken file that is touched', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': [one] })
    writeFileSync(path('f/a.json'), '[{"id":1},{"id":1}]')
    await settle(scanner)
    utimesSync(path('f/a.json'), 1, 1)
    await scanner.scan()
    await settle(scanner)
    expect(changes).toMatchObject([{ reported: [{ file: 'f/a.json' }], resolved: [] }])
    expect(scanner.current().diagnostics).toHaveLength(1)
  })

  it.runIf(canLink)('reports a broken link once, until its target exists', async () => {
    const { path, scanner, changes } = await open({ 'f/b.json': '[]' })
    symlinkSync(path('target'), path('f/a.json'))
    await settle(scanner)
    await settle(scanner)
    expect(changes.splice(0)).toMatchObject([{ reported: [{ file: 'f/a.json' }] }])
    writeFileSync(path('target'), JSON.stringify([one]))
    await settle(scanner)
    expect(changes).toMatchObject([{ sources: [{ value: [one] }], resolved: ['f/a.json'] }])
  })

  it('reports a number that would be infinite where one record has changed', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': [one, two] })
    writeFileSync(path('f/a.json'), '[{"id":1,"t":"a"},{"id":2,"t":1e999}]')
    await scanner.scan()
    await settle(scanner)
    expect(changes).toMatchObject([{ reported: [{ file: 'f/a.json', line: 1, column: 31 }] }])
    expect(valueOf(scanner, 'a')).toEqual([one, two])
  })

  const known: [title: string, name: string, text: string, expected: object][] = [
    [
      'a database that holds another resource',
      'db.json',
      '{"a":[1],"b":[2],"me":{"list":[1]}}',
      { sources: [{ name: 'b', value: [2] }] },
    ],
    ['a database that holds fewer', 'db.json', '{"a":[1]}', { removed: ['me'] }],
    [
      'a list inside of a record',
      'db.json',
      '{"a":[1],"me":{"list":[1,2]}}',
      { sources: [{ name: 'me', value: { list: [1, 2] } }] },
    ],
    [
      'a record that has the name of its list',
      'f/list.json',
      '{"list":[1,2]}',
      { sources: [{ name: 'list', value: { list: [1, 2] } }] },
    ],
    ['JSON5', 'f/u.json5', "[{id:'b'}] // all", { sources: [{ value: [{ id: 'b' }] }] }],
    ['a module', 'f/m.mjs', 'export default [2]', { sources: [{ name: 'm', value: [2] }] }],
    ['a schema', 'f/u.schema.json', '{"type":"string"}', { current: { schemas: { u: {} } } }],
    [
      'a scenario',
      'f/_scenarios/some/u.json',
      '[2]',
      { current: { scenarios: { some: [{ value: [2] }] } } },
    ],
  ]

  it.each(known)('publishes an edit of %s at once', async (_title, name, text, expected) => {
    const cwd = createFolder({
      'f/u.json5': "[{id:'a'}] // all",
      'f/list.json': '{"list":[1]}',
      'f/m.mjs': 'export default [1]',
      'f/u.schema.json': '{"type":"object"}',
      'f/_scenarios/some/u.json': '[1]',
      'db.json': '{"a":[1],"me":{"list":[1]}}',
    })
    const { path, scanner, changes } = await openIn(cwd, ['f', 'db.json'])
    writeFileSync(path(name), text)
    await scanner.scan()
    expect(changes).toMatchObject([{ reported: [], ...expected }])
    await settle(scanner)
    expect(changes).toHaveLength(1)
  })

  it('scans everything where a path is gone or unknown', async () => {
    const { path, scanner, changes } = await open({ 'f/a.json': '[]' })
    writeFileSync(path('f/b.json'), '[1]')
    await scanner.scan()
    expect(changes).toMatchObject([{ sources: [{ name: 'b' }] }])
    rmSync(path('f/b.json'))
    vi.advanceTimersByTime(100)
    expect(await scanner.scan()).toBe(150)
    await settle(scanner)
    expect(changes[1]).toMatchObject({ removed: ['b'] })
  })

  it('follows a file in a folder that becomes a database, or a singleton again', async () => {
    const { path, scanner, changes } = await open({ 'f/v1/db.json': { tags: ['a', 'b'] } })
    await settle(scanner)
    const save = async (data: object): Promise<unknown> => {
      writeFileSync(path('f/v1/db.json'), JSON.stringify(data))
      await scanner.scan()
      await settle(scanner)
      return changes.splice(0).map(({ sources, removed }) => [sources, removed])
    }
    const file = 'f/v1/db.json'
    const posts = [one, two]
    expect(await save({ posts, n: 1 })).toEqual([
      [
        [
          { name: 'v1/posts', value: posts, file: `${file}#posts` },
          { name: 'v1/n', value: 1, file: `${file}#n` },
        ],
        ['v1/db'],
      ],
    ])
    expect(await save({ posts: [one, { id: 3 }], n: 1 })).toEqual([
      [[{ name: 'v1/posts', value: [one, { id: 3 }], file: `${file}#posts` }], []],
    ])
    expect(await save({ posts: ['a', 'b'], n: 1 })).toEqual([
      [[{ name: 'v1/db', value: { posts: ['a', 'b'], n: 1 }, file }], ['v1/posts', 'v1/n']],
    ])
  })

  it('runs one scan at a time, and none during an exclusive function', async () => {
    const { scanner } = await open({ 'f/a.json': '[0]' })
    const order: string[] = []
    const first = scanner.exclusive(async () => {
      await new Promise(setImmediate)
      order.push('first')
    })
    const second = scanner.scan().then(() => order.push('second'))
    const third = scanner.exclusive(() => order.push('third'))
    await Promise.all([first, second, third])
    expect(order).toEqual(['first', 'second', 'third'])
  })
})

const one = { id: 1, t: 'a' }
const two = { id: 2, t: 'b' }

function valueOf(scanner: Scanner, name: string): Json | undefined {
  return scanner.current().sources.find((source) => source.name === name)?.value
}

async function open(files: Files) {
  return openIn(createFolder(files), 'db.json' in files ? ['db.json'] : ['f'])
}

async function openIn(cwd: string, paths: string[]) {
  const loaded = await loadFixtures(paths, { cwd })
  const changes: FixtureChange[] = []
  const scanner = createScanner(paths, loaded, (change) => changes.push(change), { cwd })
  return { scanner, changes, path: (name: string) => join(cwd, name) }
}

/** Scans when the disk has been quiet for long enough. */
function lookInQuiet(scanner: Scanner): Promise<number | undefined> {
  vi.advanceTimersByTime(150)
  return scanner.scan()
}

async function settle(scanner: Scanner): Promise<void> {
  while ((await lookInQuiet(scanner)) !== undefined);
}

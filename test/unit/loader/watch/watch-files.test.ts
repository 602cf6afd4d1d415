import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import type { FixtureChange } from '../../../../src/loader/watch/change.ts'
import { loadFixtures, type LoadResult } from '../../../../src/loader/load.ts'
import { createScanner, type Scanner } from '../../../../src/loader/watch/scanner.ts'
import { watchFiles } from '../../../../src/loader/watch/watch-files.ts'
import { canLink, createFolder, type Files } from '../folder.ts'
import { settle } from '../world.ts'

let running: Watcher | undefined

afterEach(async () => {
  await running?.close()
  running = undefined
})

describe.each([
  ['events', false],
  ['polling', true],
])('watchFiles with %s', (_mode, poll) => {
  const saves: [title: string, save: (cwd: string) => void, name: string, expected: Json][] = [
    ['an in-place save', (cwd) => write(cwd, 'f/a.json', [2]), 'a', [2]],
    ['a save by rename', (cwd) => replace(cwd, 'f/a.json', [2]), 'a', [2]],
    [
      'a save that moves the old file away first',
      (cwd) => moveAndWrite(cwd, 'f/a.json', [2]),
      'a',
      [2],
    ],
    ['a save in two steps', (cwd) => writeInSteps(cwd, 'f/a.json', '[2', ',3]'), 'a', [2, 3]],
    [
      'a save with a byte order mark and CRLF',
      (cwd) => write(cwd, 'f/a.json', '\uFEFF[\r\n2]\r\n'),
      'a',
      [2],
    ],
    ['a save of the same length', (cwd) => write(cwd, 'f/a.json', '[9]'), 'a', [9]],
    ['a new file', (cwd) => write(cwd, 'f/c.json', { x: 1 }), 'c', { x: 1 }],
    ['a new folder', (cwd) => write(cwd, 'f/v1/x/c.json', [1]), 'v1/x/c', [1]],
    ['a file in a folder', (cwd) => write(cwd, 'f/sub/s.json', [2]), 'sub/s', [2]],
    ['a database file', (cwd) => write(cwd, 'db.json', { d: [2], e: 1 }), 'd', [2]],
    [
      'a database file saved by rename',
      (cwd) => replace(cwd, 'db.json', { d: [2], e: 1 }),
      'd',
      [2],
    ],
    [
      'a new key of a database file',
      (cwd) => write(cwd, 'db.json', { d: [1], e: 1, n: 3 }),
      'n',
      3,
    ],
    ['a module', (cwd) => write(cwd, 'f/m.mjs', 'export default [2]'), 'm', [2]],
    [
      'a collection that becomes a singleton',
      (cwd) => write(cwd, 'f/a.json', { x: 1 }),
      'a',
      { x: 1 },
    ],
  ]
  const linked: typeof saves = [
    ["a link's target", (cwd) => write(cwd, 'away/l.json', [2]), 'l', [2]],
    ["a link's target saved by rename", (cwd) => replace(cwd, 'away/l.json', [2]), 'l', [2]],
    ['a link that leads elsewhere', (cwd) => relink(cwd, 'away/k.json', 'f/l.json'), 'l', 'k'],
    ['a file in a linked folder', (cwd) => write(cwd, 'far/o.json', [2]), 'linked/o', [2]],
  ]

  it.each([...saves, ...(canLink ? linked : [])])(
    'finds %s, and nothing else',
    async (_title, save, name, expected) => {
      const started = await start(poll)
      save(started.cwd)
      const change = await started.next()
      expect(change.sources.map((source) => [source.name, source.value])).toEqual([
        [name, expected],
      ])
      expect(change).toMatchObject({ removed: [], reported: [], resolved: [] })
      await expectQuiet(started, 1)
    },
  )

  const quiet: [title: string, save: (cwd: string) => void][] = [
    ['a save of the same bytes', (cwd) => write(cwd, 'f/a.json', [1])],
    ['a save of the same data in another layout', (cwd) => write(cwd, 'f/a.json', '[ 1 ]')],
    ['a touched file', (cwd) => utimesSync(join(cwd, 'f/a.json'), 1, 1)],
    ['other permissions', (cwd) => chmodSync(join(cwd, 'f/a.json'), 0o600)],
    ['a file of another kind', (cwd) => write(cwd, 'f/notes.md', 'x')],
    ['a hidden file', (cwd) => write(cwd, 'f/.a.json', '!')],
    ['a file in a hidden folder', (cwd) => write(cwd, 'f/_x/a.json', '!')],
    ['a neighbour of the database file', (cwd) => write(cwd, 'package.json', {})],
    ['a file that is gone for a moment', (cwd) => moveAndWrite(cwd, 'f/a.json', [1])],
    ['a new empty folder', (cwd) => mkdirSync(join(cwd, 'f/empty'))],
  ]

  it.each(quiet)('finds no change in %s', async (_title, save) => {
    const started = await start(poll)
    save(started.cwd)
    await expectQuiet(started, 0)
  })

  it('removes the resources of a deleted file and of a deleted folder', async () => {
    const { cwd, next } = await start(poll)
    rmSync(join(cwd, 'f/a.json'))
    expect(await next()).toMatchObject({ sources: [], removed: ['a'] })
    rmSync(join(cwd, 'f/sub'), { recursive: true })
    expect(await next()).toMatchObject({ sources: [], removed: ['sub/s'] })
    write(cwd, 'f/a.json', [1])
    expect(await next()).toMatchObject({ sources: [{ name: 'a', value: [1] }], removed: [] })
  })

  it('removes the resource of a deleted key of a database', async () => {
    const { cwd, next } = await start(poll)
    write(cwd, 'db.json', { e: 1 })
    expect(await next()).toMatchObject({ sources: [], removed: ['d'] })
  })

  it('reports a broken save once, keeps the last good data, and reports when it is resolved', async () => {
    const started = await start(poll)
    const { cwd, next, watcher } = started
    write(cwd, 'f/a.json', '[1')
    const broken = await next()
    expect(broken.reported).toMatchObject([
      { file: 'f/a.json', line: 1, column: 3, severity: 'error' },
    ])
    expect(broken.reported[0]?.frame).toContain('> 1 | [1')
    expect(broken.sources).toEqual([])
    expect(valueOf(watcher, 'a')).toEqual([1])
    write(cwd, 'f/a.json', '[1')
    await expectQuiet(started, 1)
    write(cwd, 'f/a.json', '[1,,')
    expect((await next()).reported).toMatchObject([{ line: 1, column: 4 }])
    write(cwd, 'f/a.json', [3])
    expect(await next()).toMatchObject({
      sources: [{ name: 'a', value: [3] }],
      resolved: ['f/a.json'],
      reported: [],
    })
    write(cwd, 'f/a.json', '[1')
    expect((await next()).reported).toMatchObject([{ line: 1, column: 3 }])
  })

  it('keeps the last good data of a file with two records of one id', async () => {
    const { cwd, next, watcher } = await start(poll)
    write(cwd, 'db.json', { d: [{ id: 1 }, { id: '1' }], e: 2 })
    expect(await next()).toMatchObject({ sources: [], reported: [{ file: 'db.json' }] })
    expect(valueOf(watcher, 'e')).toBe(1)
  })

  it('keeps the served one of two sources for one resource', async () => {
    const { cwd, next, watcher } = await start(poll)
    write(cwd, 'f/a.js', 'module.exports = [7]')
    expect((await next()).reported).toMatchObject([{ file: 'f/a.js', severity: 'error' }])
    expect(valueOf(watcher, 'a')).toEqual([1])
    rmSync(join(cwd, 'f/a.json'))
    expect(await next()).toMatchObject({
      sources: [{ name: 'a', value: [7] }],
      resolved: ['f/a.js'],
    })
  })

  it('keeps everything while the whole folder is gone', async () => {
    const { cwd, next, watcher } = await start(poll)
    renameSync(join(cwd, 'f'), join(cwd, 'g'))
    expect(await next()).toMatchObject({ removed: [], reported: [{ file: 'f' }] })
    expect(valueOf(watcher, 'a')).toEqual([1])
    write(cwd, 'g/a.json', [5])
    renameSync(join(cwd, 'g'), join(cwd, 'f'))
    // The file may be back before the folder is.
    const changes = [await next()]
    while (!changes.some(({ resolved }) => resolved.includes('f'))) changes.push(await next())
    expect(valueOf(watcher, 'a')).toEqual([5])
  })

  it.runIf(canLink)('finds an edit of the target of a file that has become a link', async () => {
    const { cwd, next } = await start(poll)
    relink(cwd, 'away/k.json', 'f/a.json')
    expect(await next()).toMatchObject({ sources: [{ name: 'a', value: 'k' }] })
    const savedAt = performance.now()
    write(cwd, 'away/k.json', [7])
    expect(await next()).toMatchObject({ sources: [{ name: 'a', value: [7] }] })
    // The scans without events have a pause of a second.
    expect(performance.now() - savedAt).toBeLessThan(900)
  })

  it('finds schemas and scenarios', async () => {
    const { cwd, next } = await start(poll)
    write(cwd, 'f/a.schema.json', { type: 'object' })
    expect((await next()).current.schemas).toEqual({ a: { type: 'object' } })
    write(cwd, 'f/_scenarios/none/a.json', [])
    expect((await next()).current.scenarios).toMatchObject({ none: [{ name: 'a', value: [] }] })
  })

  it('never misses the last of many saves, however quick', async () => {
    const { cwd, next, watcher } = await start(poll)
    for (let round = 0; round < 20; round++) {
      const saves = 1 + (round % 5)
      for (let save = 0; save < saves; save++) {
        const method = (round + save) % 2 === 0 ? write : replace
        method(cwd, 'f/a.json', [round, save])
        if (save % 2 === 1) await new Promise(setImmediate)
      }
      while (JSON.stringify(valueOf(watcher, 'a')) !== `[${round},${saves - 1}]`) await next()
    }
  })

  it('finds all files of a burst', async () => {
    const { cwd, next } = await start(poll)
    for (let i = 0; i < 100; i++) write(cwd, `f/burst/n${i}.json`, [i])
    const names = new Set<string>()
    while (names.size < 100) for (const { name } of (await next()).sources) names.add(name)
    expect(names.size).toBe(100)
  })

  it('finds what was saved between loading and watching', async () => {
    const cwd = createFolder({ 'f/a.json': [1] })
    const loaded = await loadFixtures(['f'], { cwd })
    write(cwd, 'f/a.json', [2])
    const changes: FixtureChange[] = []
    await watch(['f'], loaded, { cwd, poll }, (change) => changes.push(change))
    expect(changes).toMatchObject([{ sources: [{ name: 'a', value: [2] }] }])
  })

  it('is silent once it is closed', async () => {
    const { cwd, watcher, changes } = await start(poll)
    write(cwd, 'f/a.json', [2])
    await watcher.close()
    const count = changes.length
    write(cwd, 'f/a.json', [3])
    await new Promise(setImmediate)
    expect(changes).toHaveLength(count)
  })
})

const files: Files = {
  'f/a.json': [1],
  'f/b.json': [1],
  'f/m.mjs': 'export default [1]',
  'f/sub/s.json': [1],
  'db.json': { d: [1], e: 1 },
  'away/l.json': [1],
  'away/k.json': '"k"',
  'far/o.json': [1],
}

interface Watcher {
  scanner: Scanner
  close(): Promise<void>
}

/** Watches what was loaded, until the test has ended. */
async function watch(
  paths: string[],
  loaded: LoadResult,
  options: { cwd: string; poll: boolean },
  listener: (change: FixtureChange) => void,
): Promise<Watcher> {
  const scanner = createScanner(paths, loaded, listener, options)
  running = { scanner, close: await watchFiles(scanner, paths, options) }
  return running
}

interface Started {
  cwd: string
  watcher: Watcher
  changes: FixtureChange[]
  /** The next change. */
  next: () => Promise<FixtureChange>
}

async function start(poll: boolean): Promise<Started> {
  const cwd = createFolder(files)
  if (canLink) {
    symlinkSync(join(cwd, 'away/l.json'), join(cwd, 'f/l.json'))
    symlinkSync(join(cwd, 'far'), join(cwd, 'f/linked'))
  }
  const changes: FixtureChange[] = []
  let seen = 0
  let wake: (() => void) | undefined
  const paths = ['f', 'db.json']
  const loaded = await loadFixtures(paths, { cwd })
  const watcher = await watch(paths, loaded, { cwd, poll }, (change) => {
    changes.push(change)
    wake?.()
  })
  const next = async (): Promise<FixtureChange> => {
    while (changes.length === seen) {
      await new Promise<void>((woken) => {
        wake = woken
      })
    }
    const change = changes[seen++]
    if (!change) throw new Error('There is no change.')
    return change
  }
  return { cwd, watcher, changes, next }
}

/** Scans until nothing waits; an event could find no more than these scans. */
async function expectQuiet({ watcher, changes }: Started, count: number): Promise<void> {
  await settle(watcher.scanner)
  expect(changes.slice(count)).toEqual([])
}

function valueOf(watcher: Watcher, name: string): Json | undefined {
  return watcher.scanner.current().sources.find((source) => source.name === name)?.value
}

function write(cwd: string, name: string, content: unknown): void {
  mkdirSync(join(cwd, name, '..'), { recursive: true })
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content))
}

function replace(cwd: string, name: string, content: unknown): void {
  write(cwd, `${name}.tmp`, content)
  renameSync(join(cwd, `${name}.tmp`), join(cwd, name))
}

function moveAndWrite(cwd: string, name: string, content: unknown): void {
  renameSync(join(cwd, name), join(cwd, `${name}~`))
  write(cwd, name, content)
  rmSync(join(cwd, `${name}~`))
}

function writeInSteps(cwd: string, name: string, first: string, rest: string): void {
  writeFileSync(join(cwd, name), first)
  setTimeout(() => appendFileSync(join(cwd, name), rest), 50)
}

function relink(cwd: string, target: string, name: string): void {
  rmSync(join(cwd, name))
  symlinkSync(join(cwd, target), join(cwd, name))
}

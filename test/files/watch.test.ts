import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import { describe, expect, it, onTestFinished } from 'vitest'

import { toData } from '../../src/core/fixtures/source.ts'
import { createRandom } from '../../src/core/time/random.ts'
import { loadFixtures } from '../../src/loader/load.ts'
import { createFileSource, type FileSource } from '../../src/loader/watch/file-source.ts'
import { watchFiles } from '../../src/loader/watch/watch-files.ts'
import { seed } from '../seed.ts'
import { canLink, createFolder } from '../unit/loader/folder.ts'

/** All 300 edits take a minute; a few of them run every time. */
const edits = process.env['FIXTURA_SOAK'] ? 300 : 40

describe.each([
  ['events', false],
  ['polling', true],
])('watched fixtures with %s', (_mode, poll) => {
  it(`are those of the folder after each of ${edits} edits of seed ${seed}`, async () => {
    const world = await openWorld(poll)
    const slowest: Record<string, number> = {}
    for (let edit = 0; edit < edits; edit++) {
      const start = performance.now()
      const done = await world.edit()
      await world.expectServed(`edit ${edit}: ${done}`)
      slowest[done] = Math.max(slowest[done] ?? 0, Math.round(performance.now() - start))
    }
    if (process.env['FIXTURA_SOAK']) console.log('slowest edits in ms', slowest)
  }, 300_000)
})

interface World {
  /** Edits the folder at random, and returns the name of the edit. */
  edit(): Promise<string>
  /** Waits until the served data equal those of the folder. */
  expectServed(message: string): Promise<void>
}

async function openWorld(poll: boolean): Promise<World> {
  const random = createRandom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  let counter = 0
  const cwd = createFolder({
    'f/a.json': [1],
    'f/b.json5': '[1] // one',
    'f/m.mjs': 'export default [1]',
    'f/sub/s.json': [1],
    'f/sub/deep/d.json': { n: 1 },
    'db.json': { x: [{ id: 1 }], y: { n: 1 } },
    'away/t.json': [1],
  })
  const paths = ['f', 'db.json']
  const loaded = await loadFixtures(paths, { cwd })
  const source = createFileSource(paths, loaded, { cwd })
  let wake = (): void => undefined
  source.onChange(() => wake())
  onTestFinished(await watchFiles(source.scanner, paths, { cwd, poll }))

  const path = (name: string): string => join(cwd, name)
  const isFile = (name: string): boolean => statSync(path(name)).isFile()
  /** Everything below the folder, links included, but not the folders that links lead to. */
  const list = (): string[] =>
    readdirSync(path('f'), { recursive: true, encoding: 'utf8' })
      .map((name) => `f/${name.replaceAll('\\', '/')}`)
      .filter((name) => existsSync(path(name)))
  const files = (): string[] => ['db.json', ...list().filter(isFile)]
  const folders = (): string[] => list().filter((name) => !isFile(name))
  const content = (name: string): string => {
    const value = counter++
    if (name === 'db.json') return JSON.stringify({ x: [{ id: value }], y: { n: value } })
    if (name.endsWith('.mjs')) return `export default [${value}]`
    return pick([
      `[${value}]`,
      `{ "n": ${value} }`,
      `[{ "id": ${value}, "t": "${'x'.repeat(500)}" }]`,
    ])
  }
  const save = (name: string, text = content(name)): void => writeFileSync(path(name), text)
  const saveByRename = (name: string, text = content(name)): void => {
    writeFileSync(path(`${name}.tmp`), text)
    renameSync(path(`${name}.tmp`), path(name))
  }
  const create = (folder: string): void => {
    mkdirSync(path(folder), { recursive: true })
    save(`${folder}/n${counter}${pick(['.json', '.json5', '.mjs'])}`)
  }
  const wait = async (): Promise<void> => {
    if (below(2) === 0) await source.scanner.scan()
  }

  const ways: Record<string, () => Promise<void> | void> = {
    'a new file': () => create(pick(['f', ...folders()])),
    'a new folder': () => create(`f/v${counter}/w`),
    'a save in place': () => save(pick(files())),
    'a save by rename': () => saveByRename(pick(files())),
    'an atomic save with a backup': () => {
      const name = pick(files())
      renameSync(path(name), path(`${name}~`))
      save(name)
      rmSync(path(`${name}~`))
    },
    'a save in two steps': async () => {
      const name = pick(files())
      const text = content(name)
      const half = below(text.length)
      writeFileSync(path(name), text.slice(0, half))
      await wait()
      appendFileSync(path(name), text.slice(half))
    },
    'two saves at once': () => {
      const name = pick(files())
      save(name)
      save(name)
    },
    'a removed file': () => {
      const name = pick(list().filter((one) => isFile(one)))
      if (list().filter(isFile).length > 3) rmSync(path(name))
    },
    'a file that is renamed': () => {
      const name = pick(list().filter(isFile))
      renameSync(path(name), path(`f/r${counter++}.${name.split('.').at(-1)}`))
    },
    'a file that was broken': async () => {
      const name = pick(files())
      const reported = next()
      writeFileSync(path(name), '[ broken')
      await reported
      save(name)
    },
    'a folder that moves away and back': async () => {
      const folder = pick(['f', ...folders()])
      renameSync(path(folder), path('moved'))
      await wait()
      renameSync(path('moved'), path(folder))
      create(folder)
    },
    'a folder that is replaced': async () => {
      const folder = pick(['f', ...folders()])
      rmSync(path(folder), { recursive: true })
      if (folder === 'f') await wait()
      create(folder)
    },
    'a removed folder': () => {
      const folder = pick(folders())
      if (folder && folders().length > 2) rmSync(path(folder), { recursive: true })
    },
  }
  const linked: typeof ways = {
    'a file that becomes a link': async () => {
      const name = pick(files())
      const target = `away/${counter++}.${name.split('.').at(-1)}`
      renameSync(path(name), path(target))
      await wait()
      symlinkSync(path(target), path(name))
      await expectServed('a link in place of a file')
      pick([save, saveByRename])(target, content(name))
    },
    'a new link, and edits of its target': async () => {
      symlinkSync(path('away/t.json'), path(`f/l${counter++}.json`))
      await expectServed('a new link')
      pick([save, saveByRename])('away/t.json')
    },
    'a folder that becomes a link': async () => {
      const folder = pick(folders())
      if (!folder) return
      const target = `away/folder${counter++}`
      renameSync(path(folder), path(target))
      symlinkSync(path(target), path(folder))
      await expectServed('a link in place of a folder')
      create(target)
    },
    "a link's target that is gone for a while": async () => {
      const name = `f/l${counter++}.json`
      symlinkSync(path('away/gone/t.json'), path(name))
      mkdirSync(path('away/gone'), { recursive: true })
      save('away/gone/t.json')
      await expectServed('a link to a new folder')
      rmSync(path('away/gone'), { recursive: true })
      await wait()
      mkdirSync(path('away/gone'))
      save('away/gone/t.json')
      await expectServed('a target that is back')
      rmSync(path(name))
    },
  }
  if (canLink) Object.assign(ways, linked)

  const next = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
    })
  const isServed = async (): Promise<boolean> => {
    const { sources } = await loadFixtures(paths, { cwd })
    return isDeepStrictEqual(toPlain(source), { ...toData(sources) })
  }
  const expectServed = async (message: string): Promise<void> => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      wake()
    }, 10_000)
    for (;;) {
      const changed = next()
      if (isLate || (await isServed())) break
      await changed
    }
    clearTimeout(timer)
    if (!isLate) return
    const { sources } = await loadFixtures(paths, { cwd })
    expect(toPlain(source), message).toEqual(toData(sources))
  }
  const names = Object.keys(ways)
  return {
    expectServed,
    async edit() {
      const name = pick(names)
      await ways[name]?.()
      return name
    },
  }
}

function toPlain({ data }: FileSource): Record<string, unknown> {
  return { ...data }
}

import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import JSON5 from 'json5'
import { describe, expect, it, onTestFinished } from 'vitest'

import { isRecord, type Json, type JsonRecord } from '../../src/core/json/json.ts'
import { createRandom } from '../../src/core/time/random.ts'
import type { Diagnostic } from '../../src/core/fixtures/source.ts'
import { idOf } from '../../src/core/store/records/ids.ts'
import { loadMock, serve, watch } from '../../src/node.ts'
import { seed } from '../seed.ts'
import { canLink, createFolder } from '../unit/loader/folder.ts'

/** All 300 edits take a minute for each way; a few of them run every time. */
const edits = process.env['FIXTURA_SOAK'] ? 300 : 50

describe.each([
  ['only read', false],
  ['persisted', true],
])('fixtures that are %s', (_mode, persist) => {
  it(`follow ${edits} edits of seed ${seed} while requests write`, async () => {
    const world = await openWorld(persist)
    for (let edit = 0; edit < edits; edit++) {
      const said = `edit ${edit}`
      await world.request(said)
      await world.edit(said)
      await world.expectState(said)
    }
    await world.close()
    world.expectFiles('the end')
  }, 300_000)
})

/** What stands in a file, or nothing where there is none. */
type Content = Json | undefined

interface World {
  request(said: string): Promise<void>
  edit(said: string): Promise<void>
  expectState(said: string): Promise<void>
  expectFiles(said: string): void
  close(): Promise<void>
}

/** Each file with the resources in it; the link leads out of the folder. */
const places: Record<string, string[]> = {
  'f/posts.json': ['posts'],
  'f/users.json5': ['users'],
  'f/v1/tags.json': ['v1/tags'],
  'f/profile.json': ['profile'],
  ...(canLink && { 'f/linked.json': ['linked'] }),
  'db.json': ['notes', 'settings'],
}

async function openWorld(persist: boolean): Promise<World> {
  const random = createRandom(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const cwd = createFolder({
    'f/posts.json': records(5),
    'f/users.json5': "// Users.\n[\n  { id: 'a', t: 'x' }, // first\n  { id: 'b', t: 'y' },\n]\n",
    'f/v1/tags.json': records(3),
    'f/profile.json': { t: 'me' },
    'away/linked.json': records(2),
    'db.json': { $schema: 'x', notes: records(4), settings: { t: 'dark' } },
  })
  if (canLink) symlinkSync(join(cwd, 'away/linked.json'), join(cwd, 'f/linked.json'))

  const problems: Diagnostic[] = []
  const mock = await loadMock(
    { fixtures: ['f', 'db.json'], cwd, persist },
    { onProblem: (problem) => problems.push(problem) },
  )
  const watching = await watch(mock, undefined, { onProblem: (problem) => problems.push(problem) })
  const serving = await serve(mock, { port: 0, host: '127.0.0.1' })
  let isClosed = false
  const close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    await watching.close()
    await serving.close()
  }
  onTestFinished(close)

  /** What the model says that the resources hold, and what the editor saved last. */
  const state = new Map<string, Content>()
  const saved = new Map<string, string>()
  let counter = 0
  const path = (name: string): string => join(cwd, name)
  const parse = (name: string): Json =>
    JSON5.parse<Json>(readFileSync(path(name), 'utf8').replace(/^\uFEFF/, ''))
  const contentOf = (name: string, value: Json): [string, Content][] =>
    (places[name] ?? []).map((resource) => [
      resource,
      name === 'db.json' ? (isRecord(value) ? value[resource] : undefined) : value,
    ])
  for (const name of Object.keys(places)) {
    saved.set(name, readFileSync(path(name), 'utf8'))
    for (const [resource, value] of contentOf(name, parse(name))) state.set(resource, value)
  }
  const api = async (method: string, route: string, body?: Json): Promise<[number, Json]> => {
    const init =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${serving.url}/${route}`, { method, ...init })
    return [response.status, (await response.json()) as Json]
  }

  /** A few requests at once, each on a record of its own, with the answers that the model expects. */
  const request = async (said: string): Promise<void> => {
    const busy = new Set<string>()
    const one = async (): Promise<void> => {
      const name = pick([...state.keys()].filter((name) => state.get(name) !== undefined))
      const value = state.get(name)
      if (!Array.isArray(value)) return updateSingleton(name)
      const list = value as JsonRecord[]
      const kind = below(3)
      const record = list.length > 0 ? pick(list) : undefined
      if (kind === 0 || !record) {
        const fresh = { id: `r${counter++}`, t: `request ${counter}` }
        // The order in which records are made is that of the answers, which only single requests fix.
        if (busy.has(`${name} new`)) return
        busy.add(`${name} new`)
        const [status] = await api('POST', name, fresh)
        expect(status, said).toBe(201)
        list.push(fresh)
        return
      }
      const key = `${name}/${idOf(record, 'id')}`
      if (busy.has(key)) return
      busy.add(key)
      if (kind === 1) {
        const fields = { t: `request ${counter++}` }
        expect((await api('PATCH', key, fields))[0], said).toBe(200)
        list[list.indexOf(record)] = { ...record, ...fields }
      } else {
        expect((await api('DELETE', key))[0], said).toBe(200)
        list.splice(list.indexOf(record), 1)
      }
    }
    const updateSingleton = async (name: string): Promise<void> => {
      if (busy.has(name)) return
      busy.add(name)
      const fields = { t: `request ${counter++}` }
      expect((await api('PATCH', name, fields))[0], said).toBe(200)
      state.set(name, { ...(state.get(name) as JsonRecord), ...fields })
    }
    await Promise.all(Array.from({ length: 1 + below(5) }, one))
  }

  /** Saves a file in one of the ways that editors do. */
  const save = async (name: string, text: string): Promise<void> => {
    saved.set(name, text)
    const file = path(name)
    const ways: (() => void | Promise<void>)[] = [
      () => writeFileSync(file, text),
      () => {
        writeFileSync(`${file}.tmp`, text)
        renameSync(`${file}.tmp`, file)
      },
      () => {
        renameSync(file, `${file}~`)
        writeFileSync(file, text)
        rmSync(`${file}~`)
      },
      async () => {
        const half = Math.floor(text.length / 2)
        writeFileSync(file, text.slice(0, half))
        await new Promise(setImmediate)
        appendFileSync(file, text.slice(half))
      },
      async () => {
        writeFileSync(file, '')
        await new Promise((done) => {
          setTimeout(done, 20)
        })
        writeFileSync(file, text)
      },
      async () => {
        const told = problems.length
        writeFileSync(file, pick(['[ broken', '[{ "id": 1 }, { "id": 1 }]']))
        await expect.poll(() => problems.length).toBeGreaterThan(told)
        await request(`a broken ${name}`)
        if (below(2) === 0 && name !== 'f/linked.json') rmSync(file)
        writeFileSync(file, text)
      },
    ]
    // A link stays a link only where its target is what is written.
    await (name === 'f/linked.json' ? ways[pick([0, 3, 4])] : pick(ways))?.()
  }

  const layout = (value: Json): string => {
    const text = JSON.stringify(value, null, pick([undefined, 2, '\t']))
    return pick([text, `${text}\n`, `\uFEFF${text}`, `${text.replaceAll('\n', '\r\n')}\r\n`])
  }

  /** Reads a file, changes some of it and saves it; nothing can come between reading and saving. */
  const editData = async (name: string): Promise<void> => {
    const before = parse(name)
    const after = change(before, name === 'db.json')
    const text = layout(after)
    const olds = contentOf(name, before)
    const news = new Map(contentOf(name, after))
    // What the requests of a broken save do counts as done before the file changes.
    await save(name, text)
    for (const [resource, old] of olds) {
      state.set(resource, merge(old, news.get(resource), state.get(resource)))
    }
  }
  const change = (value: Json, isDatabase: boolean): Json => {
    if (isDatabase && isRecord(value)) {
      const entries = Object.entries(value).map(([key, one]): [string, Json] => [
        key,
        key === '$schema' || below(2) === 0 ? one : change(one, false),
      ])
      return Object.fromEntries(entries)
    }
    if (!Array.isArray(value)) return { ...(value as JsonRecord), t: `hand ${counter++}` }
    let list = value.map((one) =>
      below(3) === 0 ? { ...(one as JsonRecord), t: `hand ${counter++}` } : one,
    )
    if (below(3) === 0 && list.length > 2) list = list.toSpliced(below(list.length), 1)
    if (below(3) === 0) list.splice(below(list.length + 1), 0, { id: `h${counter++}`, t: 'hand' })
    return below(6) === 0 ? list.toReversed() : list
  }

  const others: (() => Promise<void> | void)[] = [
    () => {
      const name = pick(Object.keys(places))
      utimesSync(path(name), new Date(), new Date(Date.now() - below(100_000)))
    },
    () => chmodSync(path(pick(Object.keys(places))), pick([0o600, 0o644])),
    () => {
      const name = pick(['f/posts.json', 'f/v1/tags.json', 'db.json'])
      writeFileSync(path(name), readFileSync(path(name)))
    },
    // What requests did is away with the file, and back with it.
    async () => {
      const name = 'f/v1/tags.json'
      const text = layout(parse(name))
      const isFolder = below(2) === 0
      const before = state.get('v1/tags')
      rmSync(isFolder ? dirname(path(name)) : path(name), { recursive: true })
      state.set('v1/tags', undefined)
      await expectState('a vanished file')
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), text)
      saved.set(name, text)
      state.set('v1/tags', before)
    },
    // A collection becomes a singleton and a collection again, both as the file has them.
    async () => {
      const name = 'f/v1/tags.json'
      await save(name, layout({ t: 'one' }))
      state.set('v1/tags', { t: 'one' })
      await expectState('another kind')
      await save(name, layout(records(2)))
      state.set('v1/tags', records(2))
    },
    async () => {
      const name = `f/more/n${counter++}.json`
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), '[]')
      const resource = name.slice(2, -5)
      state.set(resource, [])
      await expectState('a new file')
      rmSync(path(name))
      state.delete(resource)
      await expect.poll(async () => (await api('GET', resource))[0]).toBe(404)
    },
  ]

  const expectState = async (said: string): Promise<void> => {
    for (const [name, expected] of state) {
      const read = async (): Promise<Content> => {
        const [status, value] = await api('GET', name)
        return status === 404 ? undefined : value
      }
      await expect.poll(read, { interval: 10, message: `${name} after ${said}` }).toEqual(expected)
    }
  }

  return {
    request,
    expectState,
    close,
    async edit() {
      await (below(4) === 0 ? pick(others)() : editData(pick(Object.keys(places))))
    },
    expectFiles(said) {
      for (const name of Object.keys(places)) {
        if (!persist)
          expect(readFileSync(path(name), 'utf8'), `${name} at ${said}`).toBe(saved.get(name))
        else
          for (const [resource, value] of contentOf(name, parse(name)))
            expect(value, `${resource} at ${said}`).toEqual(state.get(resource))
      }
      expect(statSync(path('f/.fixtura'), { throwIfNoEntry: false })).toBe(undefined)
    },
  }
}

function records(count: number): JsonRecord[] {
  return Array.from({ length: count }, (_, id) => ({ id: id + 1, t: `start ${id}` }))
}

/** The contract's rules, one id at a time and by the text of the records. */
function merge(base: Content, theirs: Content, ours: Content): Content {
  if (!Array.isArray(base) || !Array.isArray(theirs) || !Array.isArray(ours)) {
    return JSON.stringify(base) === JSON.stringify(theirs) ? ours : theirs
  }
  const idOfAny = (one: Json): string => (isRecord(one) ? (idOf(one, 'id') ?? '') : '')
  const find = (list: Json[], id: string): string =>
    JSON.stringify(list.find((one) => idOfAny(one) === id) ?? null)
  const rest = ours.filter((one) => find(theirs, idOfAny(one)) === 'null')
  return [...theirs, ...rest].flatMap((one) => {
    const id = idOfAny(one)
    const isEdited = find(base, id) !== find(theirs, id)
    const winner = JSON.parse(isEdited ? find(theirs, id) : find(ours, id)) as Json
    return winner === null ? [] : [winner]
  })
}

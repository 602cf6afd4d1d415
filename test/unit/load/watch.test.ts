import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { scenarios } from '../../../src/behaviours.ts'
import { createMock } from '../../../src/index.ts'
import { loadMock, watch, type WatchedChange, type WatchOptions } from '../../../src/node.ts'
import { createFolder } from '../loader/folder.ts'

describe('watch', () => {
  it('takes over an edited file, and reports its resource', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1 }], 'users.json': [{ id: 1 }] })
    const mock = await loadMock<Data>(folder)
    const { changes } = await start(mock, folder)
    mock.db.users.insert({ id: 2 })
    writeFileSync(join(folder, 'posts.json'), '[{ "id": 7 }]')
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    expect(mock.db.posts.all()).toEqual([{ id: 7 }])
    expect(mock.db.users.count()).toBe(2)
  })

  it('defaults to the paths that the mock was loaded from', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1 }] })
    const mock = await loadMock<Data>(folder)
    const { changes } = await start(mock)
    writeFileSync(join(folder, 'users.json'), '[]')
    expect(await changes.next()).toEqual({ ...nothing, changed: ['users'] })
    rmSync(join(folder, 'users.json'))
    expect(await changes.next()).toEqual({ ...nothing, removed: ['users'] })
  })

  it('warns of a problem that no `onProblem` takes', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1 }] })
    const mock = await loadMock<Data>(folder)
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => warned.mockRestore())
    onTestFinished((await watch(mock)).close)
    writeFileSync(join(folder, 'posts.json'), '[\n{')
    const label = join(folder, 'posts.json')
    const problem = `${label}:2:2 error\nFailed to load "${label}": expected a key in double quotes or "}", but the file ends.`
    await expect.poll(() => warned.mock.calls).toEqual([[expect.stringContaining(problem)]])
  })

  it('takes over all files first for a mock that was not loaded from files', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1 }] })
    const mock = createMock({ fixtures: { posts: [{ id: 9 }] } })
    const { changes } = await start(mock, folder)
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    expect(mock.db.posts.all()).toEqual([{ id: 1 }])
  })

  it('takes over other files than those that the mock was loaded from', async () => {
    const mock = await loadMock<Data>(createFolder({ 'posts.json': [{ id: 1 }] }))
    const folder = createFolder({ 'posts.json': [{ id: 2 }] })
    const { changes } = await start(mock, folder)
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    expect(mock.db.posts.all()).toEqual([{ id: 2 }])
    writeFileSync(join(folder, 'posts.json'), '[{ "id": 3 }]')
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    expect(mock.db.posts.all()).toEqual([{ id: 3 }])
  })

  it('finds the records of other files by the id field of the mock', async () => {
    const mock = await loadMock({ fixtures: createFolder({ 'posts.json': [] }), id: 'key' })
    const folder = createFolder({ 'posts.json': '[{ "key": 1, "id": 7 }, { "key": 2, "id": 7 }]' })
    const { changes } = await start(mock, folder)
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    writeFileSync(join(folder, 'posts.json'), '[{ "key": 3, "id": 8 }, { "key": 4, "id": 8 }]')
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    expect(mock.db['posts']?.all()).toMatchObject([{ key: 3 }, { key: 4 }])
  })

  it('does not notify a closed watch, while another goes on', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1 }] })
    const mock = await loadMock<Data>(folder)
    const heard: WatchedChange[] = []
    const { close } = await watch(mock, folder, { onChange: (change) => heard.push(change) })
    const { changes } = await start(mock, folder)
    await close()
    writeFileSync(join(folder, 'posts.json'), '[{ "id": 2 }]')
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    expect(heard).toEqual([])
  })

  it('keeps the last good data while a file is broken, and reports when it is resolved', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1 }] })
    const mock = await loadMock<Data>(folder)
    const { changes, problems } = await start(mock)
    writeFileSync(join(folder, 'posts.json'), '[{')
    expect(await problems.next()).toBe(`${join(folder, 'posts.json')}:1`)
    expect(mock.db.posts.all()).toEqual([{ id: 1 }])
    writeFileSync(join(folder, 'posts.json'), '[{ "id": 2 }]')
    expect(await changes.next()).toEqual({
      ...nothing,
      changed: ['posts'],
      resolved: [join(folder, 'posts.json')],
    })
  })

  it('reports the records where the file replaced changes by requests', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1, a: 1 }] })
    const mock = await loadMock<Data>(folder)
    const { changes } = await start(mock)
    mock.db.posts.update(1, { a: 2 })
    writeFileSync(join(folder, 'posts.json'), '[{ "id": 1, "a": 3 }]')
    const conflicts = [{ collection: 'posts', id: '1' }]
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'], conflicts })
  })

  it('takes over an edited schema', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1 }], 'posts.schema.json': {} })
    const mock = await loadMock<Data>(folder)
    const { changes, problems } = await start(mock)
    const post = async (): Promise<number> => {
      const init = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }
      return (await mock.fetch(new Request('http://mock.test/posts', init))).status
    }
    expect(await post()).toBe(201)
    writeFileSync(join(folder, 'posts.schema.json'), '{ "required": ["title"] }')
    expect(await changes.next()).toEqual({ ...nothing, rules: ['posts.schema'] })
    expect(await post()).toBe(422)
    writeFileSync(join(folder, 'posts.schema.json'), '{ "$ref": "#/nope" }')
    expect(await problems.next()).toContain(folder)
    expect(await post()).toBe(422)
    rmSync(join(folder, 'posts.schema.json'))
    expect(await changes.next()).toEqual({ ...nothing, rules: ['posts.schema'] })
    expect(await post()).toBe(201)
  })

  it('reports a wrong schema once', async () => {
    const good = '{ "required": ["title"] }'
    const folder = createFolder({ 'posts.json': [{ id: 1 }], 'posts.schema.json': good })
    const mock = await loadMock<Data>(folder)
    const changes = createQueue<WatchedChange>()
    const told: string[] = []
    const onProblem: WatchOptions['onProblem'] = ({ message }) => told.push(message)
    onTestFinished((await watch(mock, folder, { onChange: changes.add, onProblem })).close)
    writeFileSync(join(folder, 'posts.schema.json'), '{ "type": "objct" }')
    await expect.poll(() => told).toHaveLength(1)
    writeFileSync(join(folder, 'posts.json'), '[{ "id": 2 }]')
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    writeFileSync(join(folder, 'posts.schema.json'), good)
    expect(await changes.next()).toEqual({ ...nothing, rules: ['posts.schema'] })
    expect(told).toEqual([
      'Failed to read the schema of "posts": there is no type "objct". Did you mean "object"?',
    ])
  })

  it.each(['{ "required": ["title"] }', '{ "type": "objct" }'])(
    'goes on after listeners that throw when a schema becomes %s',
    async (edited) => {
      const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
      onTestFinished(() => warn.mockRestore())
      const folder = createFolder({ 'posts.json': [{ id: 1 }], 'posts.schema.json': {} })
      const heard: unknown[] = []
      const listener = (what: unknown): void => {
        heard.push(what)
        throw new Error('no')
      }
      const options = { onChange: listener, onProblem: listener }
      const { close } = await watch(await loadMock(folder), folder, options)
      writeFileSync(join(folder, 'posts.schema.json'), edited)
      await expect.poll(() => warn).toHaveBeenCalledWith(new Error('no'))
      expect(heard).toHaveLength(1)
      await close()
    },
  )

  it('adds the scenarios of a folder to those of the configuration', async () => {
    const folder = createFolder({
      'posts.json': [{ id: 1 }],
      'users.json': [{ id: 1 }],
      '_scenarios/one/posts.json': [{ id: 7 }],
      '_scenarios/one/users.json': [{ id: 7 }],
      '_scenarios/two/posts.json': [{ id: 8 }],
    })
    const own = scenarios({
      sets: {
        one: { fixtures: { posts: [{ id: 77 }] }, faults: [{ on: 'GET users', status: 503 }] },
        three: { fixtures: { posts: [] } },
      },
      header: 'X-Scene',
      active: 'two',
    })
    const mock = await loadMock<Data>({ fixtures: folder, use: [own] })
    const ask = async (path: string, scene?: string) => {
      const headers = scene === undefined ? {} : { 'X-Scene': scene }
      const response = await mock.fetch(new Request(`http://mock.test${path}`, { headers }))
      return response.ok ? response.json() : response.status
    }
    expect(
      internalsOf(mock)
        .behaviours.find(({ name }) => name === 'scenarios')
        ?.controls?.['GET']?.(null),
    ).toEqual({
      active: 'two',
      scenarios: ['one', 'three', 'two'],
    })
    expect(await ask('/posts')).toEqual([{ id: 8 }])
    expect(await ask('/posts', 'one')).toEqual([{ id: 77 }])
    expect(await ask('/users', 'one')).toBe(503)
    expect(internalsOf(mock).behaviours.filter(({ name }) => name === 'scenarios')).toHaveLength(1)
    expect(await ask('/posts', 'three')).toEqual([])
    const { changes } = await start(mock)
    writeFileSync(join(folder, '_scenarios/two/posts.json'), '[{ "id": 9 }]')
    expect(await changes.next()).toEqual({ ...nothing, rules: ['_scenarios/two'] })
    mock.reset()
    expect(await ask('/posts')).toEqual([{ id: 9 }])
  })

  it('adds the scenarios of a folder for the mock of that folder alone', async () => {
    const first = createFolder({ 'posts.json': [], '_scenarios/one/posts.json': [{ id: 7 }] })
    const second = createFolder({ 'posts.json': [], '_scenarios/one/posts.json': [{ id: 8 }] })
    const use = [scenarios({ sets: {}, active: 'one' })]
    const mock = await loadMock<Data>({ fixtures: first, use })
    const other = await loadMock<Data>({ fixtures: second, use })
    mock.reset()
    expect([mock.db.posts.all(), other.db.posts.all()]).toEqual([[{ id: 7 }], [{ id: 8 }]])
    const { changes } = await start(mock)
    writeFileSync(join(first, '_scenarios/one/posts.json'), '[{ "id": 9 }]')
    await changes.next()
    expect([mock.db.posts.all(), other.db.posts.all()]).toEqual([[{ id: 9 }], [{ id: 8 }]])
  })

  it('starts with the scenario of the option rather than that of the configuration', async () => {
    const folder = createFolder({
      'posts.json': [{ id: 1 }],
      '_scenarios/two/posts.json': [{ id: 8 }],
    })
    const sets = { none: { fixtures: { posts: [] } } }
    const use = [scenarios({ sets, active: 'none' })]
    const mock = await loadMock<Data>({ fixtures: folder, use, scenario: 'two' })
    expect(mock.db.posts.all()).toEqual([{ id: 8 }])
    const other = [scenarios({ sets, active: 'tow' })]
    await expect(loadMock({ fixtures: folder, use: other })).rejects.toThrow(
      'Failed to read the options of "scenarios": "active" cannot be "tow". Did you mean "two"?',
    )
    const own = [scenarios({ sets })]
    const loaded = await loadMock<Data>({ fixtures: folder, use: own, scenario: 'none' })
    expect(loaded.db.posts.all()).toEqual([])
  })

  it('takes over an edited scenario, also while it is active', async () => {
    const folder = createFolder({
      'posts.json': [{ id: 1 }],
      '_scenarios/one/posts.json': [{ id: 7 }],
    })
    const mock = await loadMock<Data>({ fixtures: folder, scenario: 'one' })
    const { changes } = await start(mock)
    expect(mock.db.posts.all()).toEqual([{ id: 7 }])
    writeFileSync(join(folder, '_scenarios/one/posts.json'), '[{ "id": 8 }]')
    expect(await changes.next()).toEqual({ ...nothing, rules: ['_scenarios/one'] })
    expect(mock.db.posts.all()).toEqual([{ id: 8 }])
  })

  it('misses no edit between two watches', async () => {
    const folder = createFolder({ 'posts.json': [{ id: 1 }] })
    const mock = await loadMock<Data>(folder)
    const first = await start(mock)
    writeFileSync(join(folder, 'posts.json'), '[{ "id": 2 }]')
    await first.changes.next()
    await first.close()
    writeFileSync(join(folder, 'posts.json'), '[{ "id": 3 }]')
    const { changes } = await start(mock)
    expect(await changes.next()).toEqual({ ...nothing, changed: ['posts'] })
    expect(mock.db.posts.all()).toEqual([{ id: 3 }])
  })

  it('goes on after an error of `onProblem` about the rewrites', async () => {
    const folder = createFolder({ 'f/posts.json': [{ id: 1 }], 'routes.json': {} })
    const routes = join(folder, 'routes.json')
    const mock = await loadMock<Data>({ fixtures: join(folder, 'f'), routes })
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => warned.mockRestore())
    const changes = createQueue<WatchedChange>()
    const error = new Error('no')
    const onProblem = (): void => {
      throw error
    }
    onTestFinished((await watch(mock, undefined, { onChange: changes.add, onProblem })).close)
    writeFileSync(routes, '{')
    await expect.poll(() => warned.mock.calls).toEqual([[error]])
    writeFileSync(routes, '{ "/a": "/posts" }')
    expect(await changes.next()).toEqual({ ...nothing, rules: [routes] })
  })

  it('polls if the configuration has the option', async () => {
    const fixtures = createFolder({ 'posts.json': [{ id: 1 }] })
    await start(await loadMock<Data>({ fixtures, poll: true }))
    expect(process.getActiveResourcesInfo()).not.toContain('FSEventWrap')
    await start(await loadMock<Data>({ fixtures }))
    expect(process.getActiveResourcesInfo()).toContain('FSEventWrap')
  })

  const wrong: [title: string, args: unknown[], message: string][] = [
    [
      'an unknown option',
      ['fixtures', { pol: true }],
      'Failed to read the options of watch: there is no "pol". Did you mean "poll"?',
    ],
    [
      'options in the place of paths',
      [{ poll: true }],
      'Failed to read the paths to watch: it cannot be {"poll":true}. Please give a path that is not empty, or a list of paths.',
    ],
  ]

  it.each(wrong)('refuses %s', async (_title, args, message) => {
    const mock = await loadMock(createFolder({ 'posts.json': [] }))
    const given = args as [string]
    await expect(watch(mock, ...given).then(({ close }) => close())).rejects.toThrow(message)
  })

  it.each([{ fixtures: {} }, undefined])('refuses %j in place of a mock', async (other) => {
    await expect(watch(other as never)).rejects.toThrow(
      /^Failed to read the mock to watch: it cannot be .*\. Please give a mock from createMock or loadMock\.$/,
    )
  })

  it('needs paths for a mock that was not loaded from files', async () => {
    await expect(watch(createMock({ fixtures: {} }))).rejects.toThrow(
      'Failed to watch: the mock was not loaded from files. Please name the paths to watch.',
    )
  })
})

interface Data {
  posts: { id: number; a?: number }[]
  users: { id: number }[]
}

const nothing: WatchedChange = { changed: [], removed: [], resolved: [], conflicts: [], rules: [] }

async function start(
  mock: Parameters<typeof watch>[0],
  folder?: string,
): Promise<{
  changes: Queue<WatchedChange>
  problems: Queue<string>
  close(): Promise<void>
}> {
  const changes = createQueue<WatchedChange>()
  const problems = createQueue<string>()
  const { close } = await watch(mock, folder, {
    onChange: changes.add,
    onProblem: ({ file, line }) => problems.add(`${file}:${line}`),
  })
  onTestFinished(close)
  return { changes, problems, close }
}

interface Queue<T> {
  add(item: T): void
  next(): Promise<T>
}

/** A queue; `next` waits where it is empty. */
function createQueue<T>(): Queue<T> {
  const items: T[] = []
  const waiting: ((item: T) => void)[] = []
  return {
    add(item) {
      const wake = waiting.shift()
      if (wake) wake(item)
      else items.push(item)
    },
    next: () =>
      new Promise((resolve) => {
        const item = items.shift()
        if (item === undefined) waiting.push(resolve)
        else resolve(item)
      }),
  }
}

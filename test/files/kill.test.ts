import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { createRandom } from '../../src/core/time/random.ts'
import { seed } from '../seed.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { listAll } from '../unit/loader/world.ts'

/** All 40 rounds take a minute or two; a few of them run every time. */
const rounds = process.env['FIXTURA_SOAK'] ? 40 : 5
const program = join(import.meta.dirname, '../../bin/mock.js')

describe('a server that persists', () => {
  it(`loses nothing and does nothing twice in ${rounds} rounds of load and kill -9, seed ${seed}`, async () => {
    const random = createRandom(seed)
    const list = Array.from({ length: 300 }, (_, at) => `start ${at}`)
    const cwd = createFolder({
      'f/posts.json': Array.from({ length: 200 }, (_, id) => ({ id: id + 1, t: 'start' })),
      'f/lists.json': [{ id: 1, list }],
      'db.json': { notes: [{ id: 'a', t: 'start' }], settings: { t: 'start' } },
    })
    const expected: Expected = {
      posts: new Map(Array.from({ length: 200 }, (_, id) => [String(id + 1), ['start']])),
      notes: new Map([['a', ['start']]]),
      lists: new Map([['1', [JSON.stringify(list)]]]),
    }
    for (let round = 0; round < rounds; round++) {
      const said = `round ${round}`
      const isAway = round % 4 === 3
      if (isAway) renameSync(join(cwd, 'f/posts.json'), join(cwd, 'posts.json'))
      const server = await start(cwd)
      if (isAway) await bringBack(cwd, server)
      await expectState(server.url, expected, said)
      const load = startLoad(server.url, expected, `${round}`, random)
      const looking = lookAtFiles(cwd, said)
      await load.reached(50 + Math.floor(random() * 400))
      if (round % 4 === 1 && process.platform !== 'win32') {
        await refuseSecond(cwd, server)
        await load.reached(50 + Math.floor(random() * 200))
      }
      server.child.kill('SIGKILL')
      await server.ended
      await load.ended
      looking.stop()
      expectParsed(cwd, said)
      if (round % 3 === 2) editWhileDown(cwd, expected, `hand ${round}`)
    }
    const last = await start(cwd)
    await expectState(last.url, expected, 'the end')
    last.child.kill('SIGTERM')
    // On Windows a signal from another process ends a program at once.
    if (process.platform === 'win32') return
    expect(await last.ended).toBe(0)
    expect(listAll(cwd)).toEqual(['db.json', 'f', 'f/lists.json', 'f/posts.json'])
  }, 300_000)
})

/**
 * What each record may say: what was acknowledged last, and what was sent after that without an answer;
 * undefined stands for a record that is gone.
 */
type Expected = Record<'posts' | 'notes' | 'lists', Map<string, (string | undefined)[]>>

interface Server {
  url: string
  child: ChildProcess
  /** Its exit code, or null where it was killed. */
  ended: Promise<number | null>
}

async function start(cwd: string): Promise<Server> {
  const args = [
    program,
    'server',
    'f',
    'db.json',
    '--persist',
    '--port',
    '0',
    '--host',
    '127.0.0.1',
  ]
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, NO_COLOR: '1' } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  let output = ''
  const url = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const match = /http:\/\/127\.0\.0\.1:\d+/.exec(output)
      if (match) found(match[0])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => failed(new Error(output)))
  })
  return { url, child, ended }
}

/** Puts a fixture file, which was moved away while no server ran, back in its place. */
async function bringBack(cwd: string, { url }: Server): Promise<void> {
  renameSync(join(cwd, 'posts.json'), join(cwd, 'f/posts.json'))
  await expect.poll(async () => (await fetch(`${url}/posts`)).status, { interval: 20 }).toBe(200)
}

/** Suspends a server in the middle of its writes, and starts another, which the folder refuses. */
async function refuseSecond(cwd: string, { child }: Server): Promise<void> {
  child.kill('SIGSTOP')
  await expect(start(cwd)).rejects.toThrow(`process ${child.pid} persists it already`)
  child.kill('SIGCONT')
}

/** Clients that write until the server is gone, each on records of its own. */
function startLoad(url: string, expected: Expected, round: string, random: () => number) {
  let count = 0
  let wake: (() => void) | undefined
  let wanted = Infinity
  const send = async (
    method: string,
    path: string,
    body?: object,
    type = 'application/json',
  ): Promise<boolean> => {
    try {
      const init = body ? { body: JSON.stringify(body), headers: { 'content-type': type } } : {}
      const response = await fetch(`${url}/${path}`, { method, ...init })
      await response.arrayBuffer()
      expect([200, 201], `${method} ${path}`).toContain(response.status)
      if (++count >= wanted) wake?.()
      return true
    } catch (error) {
      if (error instanceof TypeError) return false
      throw error
    }
  }
  /** Sends what leads to a state, which is certain once it was acknowledged and possible before. */
  const write = async (
    name: keyof Expected,
    id: string,
    text: string | undefined,
  ): Promise<boolean> => {
    const states = expected[name].get(id) ?? [undefined]
    expected[name].set(id, [...states, text])
    const isNew = states.every((state) => state === undefined)
    const isDone = isNew
      ? await send('POST', name, { id, t: text })
      : await (text === undefined
          ? send('DELETE', `${name}/${id}`)
          : send('PATCH', `${name}/${id}`, { t: text }))
    if (isDone) expected[name].set(id, [text])
    return isDone
  }
  const client = async (number: number): Promise<void> => {
    for (let step = 0; ; step++) {
      const name = number % 2 === 0 ? 'posts' : 'notes'
      const id = `${round}-${number}-${step}`
      const text = `${round} ${step}`
      if (!(await write(name, id, text))) return
      if (step % 3 === 1 && !(await write(name, id, `${text} again`))) return
      if (step % 5 === 4 && !(await write(name, id, undefined))) return
      if (name === 'posts' && !(await write('posts', String(1 + number * 20 + (step % 20)), text)))
        return
    }
  }
  /** Changes elements of a long list, so that the journal has edits of one record after the other. */
  const listClient = async (): Promise<void> => {
    const states = expected.lists.get('1') ?? []
    let list = JSON.parse(states.at(-1) ?? '[]') as string[]
    for (let step = 0; ; step++) {
      const at = Math.floor(random() * list.length)
      const value = `${round} ${step}`
      const op = (['add', 'remove', 'replace'] as const)[step % 3] ?? 'add'
      list = list.toSpliced(at, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]))
      const before = expected.lists.get('1') ?? []
      expected.lists.set('1', [...before, JSON.stringify(list)])
      const patch = [{ op, path: `/list/${at}`, value }]
      if (!(await send('PATCH', 'lists/1', patch, 'application/json-patch+json'))) return
      expected.lists.set('1', [JSON.stringify(list)])
    }
  }
  const clients = Array.from({ length: 8 }, (_, number) => client(number))
  const ended = Promise.all([...clients, listClient()])
  return {
    ended,
    reached: (requests: number) =>
      Promise.race([
        ended,
        new Promise<void>((done) => {
          wanted = count + requests
          wake = done
        }),
      ]),
  }
}

/** Parses the files again and again: at no moment may there be half of one. */
function lookAtFiles(cwd: string, said: string) {
  let isStopped = false
  const look = (): void => {
    if (isStopped) return
    expectParsed(cwd, said)
    setImmediate(look)
  }
  look()
  return {
    stop() {
      isStopped = true
    },
  }
}

function expectParsed(cwd: string, said: string): void {
  for (const name of ['f/posts.json', 'f/lists.json', 'db.json']) {
    expect(
      () => JSON.parse(readFileSync(join(cwd, name), 'utf8')) as unknown,
      `${name} in ${said}`,
    ).not.toThrow()
  }
}

/** Changes a record that no request touches, and adds one. */
function editWhileDown(cwd: string, expected: Expected, text: string): void {
  const file = join(cwd, 'f/posts.json')
  const posts = JSON.parse(readFileSync(file, 'utf8')) as { id: number | string; t: string }[]
  const edited = posts.map((post) => (post.id === 200 ? { ...post, t: text } : post))
  writeFileSync(file, JSON.stringify([{ id: text, t: text }, ...edited], null, 2))
  expected.posts.set('200', [text])
  expected.posts.set(text, [text])
}

/** Every record says what it may, none is missing, none stands twice, and from now on that is certain. */
async function expectState(url: string, expected: Expected, said: string): Promise<void> {
  for (const name of ['posts', 'notes', 'lists'] as const) {
    const response = await fetch(`${url}/${name}`)
    const records = (await response.json()) as { id: number | string; t: string; list: string[] }[]
    const found = new Map(
      records.map(({ id, t, list }) => [String(id), name === 'lists' ? JSON.stringify(list) : t]),
    )
    expect(found.size, `${name} twice in ${said}`).toBe(records.length)
    const unknown = [...found.keys()].filter((id) => !expected[name].has(id))
    expect(unknown, `${name} from nowhere in ${said}`).toEqual([])
    for (const [id, states] of expected[name]) {
      expect(states, `${name}/${id} in ${said}`).toContain(found.get(id))
      expected[name].set(id, [found.get(id)])
    }
  }
}

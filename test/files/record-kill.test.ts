import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import JSON5 from 'json5'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createRandom } from '../../src/core/time/random.ts'
import { type Program, startProgram } from '../cli/program.ts'
import { seed } from '../seed.ts'
import { createFolder } from '../unit/loader/folder.ts'

/** All 40 rounds take two minutes on a machine that does nothing else; a few of them run every time. */
const rounds = process.env['FIXTURA_SOAK'] ? 40 : 3

describe('a recording', () => {
  it(`leaves whole files and takes nothing for an edit by hand in ${rounds} rounds of kill -9, seed ${seed}`, async () => {
    const random = createRandom(seed)
    const cwd = createFolder({})
    const file = join(cwd, 'fixtures/posts.json')
    const api = await startApi()
    for (let round = 0; round < rounds; round++) {
      api.setVersion(round)
      const record = await startRecord(api.url, cwd)
      const load = startLoad(record.url)
      const looking = lookAtFiles(cwd)
      // A kill in the middle of a write: a random time after the first file has changed.
      await looking.changed()
      if (round === 0) await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true)
      const delay = performance.now() + random() * 700
      while (performance.now() < delay) await setImmediate()
      record.child.kill('SIGKILL')
      await record.ended
      await load
      expect(looking.stop()).toBeGreaterThan(0)
      if (round === 0) editPost(file)
    }
    api.setVersion(rounds)
    const last = await startRecord(api.url, cwd)
    for (const path of api.paths) await (await fetch(last.url + path)).arrayBuffer()
    last.child.kill('SIGINT')
    expect(await last.ended).toEqual({ code: 0, signal: null })
    const expected = api.posts().with(6, { id: 7, version: 'by hand' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(expected)
    expect(JSON.parse(readFileSync(join(cwd, 'fixtures/users.json'), 'utf8'))).toEqual(api.posts())
    expect(listFiles(cwd).filter((name) => /\.tmp$|\.fixtura/.test(name))).toEqual([])
  }, 900_000)
})

/** An API whose records change with its version. */
async function startApi() {
  let version = 0
  const posts = () =>
    Array.from({ length: 30 }, (_, at) => ({ id: at + 1, version: `v${version}` }))
  const server = createServer(({ url = '' }, response) => {
    const [, , id] = url.split('/')
    const value = id === undefined ? posts() : posts()[Number(id) - 1]
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(value))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths: ['/posts', '/users'],
    posts,
    setVersion: (next: number) => (version = next),
  }
}

async function startRecord(api: string, cwd: string): Promise<Program & { url: string }> {
  const started = startProgram(['record', api, '--port', '0'], cwd)
  const [, url = ''] = await started.printed(/(http:\/\/localhost:\d+)/)
  return { ...started, url }
}

/** Requests one record after the other until the proxy is gone. */
async function startLoad(url: string): Promise<void> {
  for (let step = 0; ; step++) {
    const name = step % 2 === 0 ? 'posts' : 'users'
    const path = step % 30 < 2 ? name : `${name}/${(step % 30) + 1}`
    try {
      await (await fetch(`${url}/${path}`)).text()
    } catch {
      return
    }
  }
}

/** Parses all files again and again: at no moment may there be half of one. */
function lookAtFiles(cwd: string) {
  const state = { isStopped: false }
  let changes = 0
  let before = ''
  let onChange = (): void => undefined
  const changed = new Promise<void>((resolve) => (onChange = resolve))
  const look = async (): Promise<void> => {
    while (!state.isStopped) {
      const names = listFiles(cwd).filter((name) => /\.jsonc?$/.test(name))
      const texts = names.flatMap((name) => {
        const path = join(cwd, name)
        // The recorder may have removed a needless answer meanwhile.
        const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
        expect(() => JSON5.parse<unknown>(text ?? '{}'), name).not.toThrow()
        return text ?? []
      })
      const now = texts.join('')
      if (before !== '' && now !== before && ++changes) onChange()
      before = now || ' '
      await setImmediate()
    }
  }
  const looked = look()
  return {
    /** Resolves when a file has changed; rejects if one is broken. */
    changed: () => Promise.race([changed, looked]),
    stop() {
      state.isStopped = true
      return changes
    },
  }
}

function listFiles(cwd: string): string[] {
  return ['.', 'fixtures', 'fixtures/_recorded'].flatMap((folder) => {
    const path = join(cwd, folder)
    return existsSync(path) ? readdirSync(path).map((name) => `${folder}/${name}`) : []
  })
}

function editPost(file: string): void {
  const posts = JSON.parse(readFileSync(file, 'utf8')) as { id: number }[]
  const edited = posts.map((post) => (post.id === 7 ? { id: 7, version: 'by hand' } : post))
  writeFileSync(file, JSON.stringify(edited, null, 2))
}

import { cpSync, mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import type { Diagnostic } from '../../../src/core/fixtures/source.ts'
import { type FileConfig, loadMock, serve, watch } from '../../../src/node.ts'
import { canLink, createFolder, type Files } from '../loader/folder.ts'
import { listAll } from '../loader/world.ts'

const two = '[\n  { "id": 1, "t": "a" },\n  { "id": 2, "t": "b" }\n]\n'

describe('a mock that persists', () => {
  it('responds when the write is in the journal, and writes the file a moment later', async () => {
    const { cwd, mock, json } = await load({ 'f/posts.json': two })
    expect((await send(mock, 'POST', '/posts', { t: 'c' })).status).toBe(201)
    expect(listAll(join(cwd, 'f/.fixtura'))).toContain('posts.json.journal')
    await expect.poll(() => json('f/posts.json')).toHaveLength(3)
  })

  it('keeps writes on a reset, and goes back with a snapshot', async () => {
    const { mock, json, finish } = await load({ 'f/posts.json': two, 'f/me.json': { a: 1 } })
    mock.snapshot('start')
    await send(mock, 'DELETE', '/posts/1')
    await send(mock, 'PATCH', '/me', { a: 2 })
    mock.reset()
    expect(mock.db['posts']?.all()).toEqual([{ id: 2, t: 'b' }])
    mock.restore('start')
    await send(mock, 'PATCH', '/me', { b: 3 })
    await finish()
    expect([json('f/posts.json'), json('f/me.json')]).toEqual([JSON.parse(two), { a: 1, b: 3 }])
  })

  // Windows does not tell a file in the place of a folder from nothing there.
  it.skipIf(process.platform === 'win32')(
    'reports at its start that the folder cannot be written, and serves it',
    async () => {
      const { cwd, mock, problems } = await load({ 'f/posts.json': two, 'f/.fixtura': '' })
      expect(problems).toMatchObject([
        {
          severity: 'warning',
          message: `Failed to write "${join(cwd, 'f')}": a file has the path of the folder .fixtura.`,
        },
      ])
      expect((await send(mock, 'GET', '/posts/1')).status).toBe(200)
    },
  )

  it('persists writes without a request', async () => {
    const { mock, json, finish } = await load({ 'f/posts.json': two })
    mock.db['posts']?.remove(1)
    await finish()
    expect(json('f/posts.json')).toEqual([{ id: 2, t: 'b' }])
  })

  it('does not persist writes to a fork', async () => {
    const { cwd, mock, finish } = await load({ 'f/posts.json': two })
    await send(mock.fork(), 'DELETE', '/posts/1')
    await finish()
    expect(readFileSync(join(cwd, 'f/posts.json'), 'utf8')).toBe(two)
  })

  it.each([undefined, 'empty'])(
    'keeps nothing of a scenario (%s at the start)',
    async (scenario) => {
      const files = { 'f/posts.json': two, 'f/tags.json': [], 'f/_scenarios/empty/posts.json': [] }
      const { cwd, mock, json, finish } = await load(files, scenario ? { scenario } : {})
      await send(mock, 'PATCH', '/posts/1', { t: 'first' })
      const control = internalsOf(mock).behaviours.find(
        ({ name }) => name === 'scenarios',
      )?.controls
      void control?.['PUT']?.('empty')
      await send(mock, 'POST', '/posts', { t: 'c' })
      await send(mock, 'POST', '/tags', { t: 'd' })
      await expect.poll(() => json('f/tags.json')).toHaveLength(1)
      const kept = scenario ? two : two.replace('"a"', '"first"')
      await expect.poll(() => readFileSync(join(cwd, 'f/posts.json'), 'utf8')).toBe(kept)
      mock.reset()
      void control?.['PUT']?.(null)
      expect(mock.db['posts']?.all()).toEqual(JSON.parse(kept))
      await finish()
      expect([json('f/posts.json'), json('f/tags.json')]).toMatchObject([
        JSON.parse(kept),
        [{ t: 'd' }],
      ])
    },
  )

  it('writes the rest of a file whose data a scenario covers', async () => {
    const db = { posts: [{ id: 1 }], profile: { t: 'a' }, tags: [] }
    const { cwd, mock, json, finish } = await load({ 'f/db.json': db }, { fixtures: 'f/db.json' })
    internalsOf(mock).store.overlay.set({ posts: [], profile: {} })
    await send(mock, 'POST', '/posts', {})
    await send(mock, 'PATCH', '/profile', { t: 'b' })
    expect(listAll(cwd).filter((name) => name.endsWith('.journal'))).toEqual([])
    await send(mock, 'POST', '/tags', {})
    await finish()
    expect(json('f/db.json')).toEqual({ ...db, tags: [{ id: 1 }] })
  })

  it('writes the fields of ids as they are configured', async () => {
    const { mock, json, finish } = await load(
      { 'f/posts.json': [{ key: 'a' }, { t: 1 }] },
      { id: 'key' },
    )
    await send(mock, 'DELETE', '/posts/a')
    await finish()
    expect(json('f/posts.json')).toMatchObject([{ key: expect.any(String) as string, t: 1 }])
  })

  it('locks its files until its server is closed', async () => {
    const { cwd, mock } = await load({ 'f/posts.json': two })
    const serving = await serve(mock, { port: 0 })
    await expect(loadMock({ fixtures: 'f', cwd, persist: true })).rejects.toThrow(
      `process ${process.pid} persists it already. Please stop that process, or start without --persist.`,
    )
    const response = await fetch(`${serving.url}/posts/1`, { method: 'DELETE' })
    expect(response.status).toBe(200)
    await serving.close()
    expect(listAll(cwd)).toEqual(['f', 'f/posts.json'])
    expect(JSON.parse(readFileSync(join(cwd, 'f/posts.json'), 'utf8'))).toEqual([{ id: 2, t: 'b' }])
    await loadMock({ fixtures: 'f', cwd, persist: true }).then((mock) =>
      internalsOf(mock).background?.finish(),
    )
  })

  it('persists until the last of its servers is closed', async () => {
    const { cwd, mock, json } = await load({ 'f/posts.json': two })
    const first = await serve(mock, { port: 0, host: '127.0.0.1' })
    const second = await serve(mock, { port: 0, host: '127.0.0.1' })
    await Promise.all([first.close(), first.close()])
    await expect(loadMock({ fixtures: 'f', cwd, persist: true })).rejects.toThrow(
      'persists it already',
    )
    await fetch(`${second.url}/posts/1`, { method: 'DELETE' })
    await second.close()
    expect(json('f/posts.json')).toEqual([{ id: 2, t: 'b' }])
    expect(listAll(cwd)).toEqual(['f', 'f/posts.json'])
  })

  it('locks its files again when it persists a write after its server is closed', async () => {
    const { cwd, mock, json, finish } = await load({ 'f/posts.json': two })
    await (await serve(mock, { port: 0, host: '127.0.0.1' })).close()
    expect(listAll(cwd)).toEqual(['f', 'f/posts.json'])
    await send(mock, 'DELETE', '/posts/1')
    await expect(loadMock({ fixtures: 'f', cwd, persist: true })).rejects.toThrow(
      'persists it already',
    )
    await finish()
    expect(json('f/posts.json')).toEqual([{ id: 2, t: 'b' }])
    expect(listAll(cwd)).toEqual(['f', 'f/posts.json'])
  })

  it('persists writes that are made while it finishes', async () => {
    const { cwd, mock, json, finish } = await load({ 'f/posts.json': two })
    await send(mock, 'DELETE', '/posts/1')
    const finished = finish()
    expect((await send(mock, 'POST', '/posts', { t: 'c' })).status).toBe(201)
    await finished
    await finish()
    expect(json('f/posts.json')).toEqual([
      { id: 2, t: 'b' },
      { id: 3, t: 'c' },
    ])
    expect(listAll(cwd)).toEqual(['f', 'f/posts.json'])
  })

  it('persists no write to a scenario, also without its lock', async () => {
    const { cwd, mock } = await load({ 'f/posts.json': two })
    internalsOf(mock).store.overlay.set({ posts: [] })
    writeFileSync(join(cwd, 'f/.fixtura/lock'), '{}')
    expect((await send(mock, 'POST', '/posts', {})).status).toBe(201)
    expect((await send(mock.fork(), 'POST', '/posts', {})).status).toBe(201)
  })

  it.runIf(canLink)(
    'refuses a file with two names, each of which would write over it',
    async () => {
      const cwd = createFolder({ 'f/posts.json': two })
      symlinkSync('posts.json', join(cwd, 'f/texts.json'))
      await expect(loadMock({ fixtures: 'f', cwd, persist: true })).rejects.toThrow(
        `Failed to persist "${join(cwd, 'f/texts.json')}": it is the same file as "${join(cwd, 'f/posts.json')}". Please serve one of them, or start without --persist.`,
      )
      expect(listAll(cwd)).toEqual(['f', 'f/posts.json', 'f/texts.json'])
      await loadMock({ fixtures: 'f', cwd })
    },
  )

  it('unlocks its files when they cannot be loaded', async () => {
    const cwd = createFolder({ 'f/posts.json': '[' })
    await expect(loadMock({ fixtures: 'f', cwd, persist: true })).rejects.toThrow(
      /f[\\/]posts\.json:1:2/,
    )
    expect(listAll(cwd)).toEqual(['f', 'f/posts.json'])
  })

  it('persists a restored snapshot', async () => {
    const { cwd, mock } = await load({ 'f/posts.json': two })
    mock.snapshot('start')
    const serving = await serve(mock, { port: 0, host: '127.0.0.1' })
    onTestFinished(() => serving.close())
    await fetch(`${serving.url}/posts/1`, { method: 'DELETE' })
    const restored = await fetch(`${serving.url}/__mock/snapshots/start`, { method: 'POST' })
    expect(restored.ok).toBe(true)
    await serving.close()
    expect(JSON.parse(readFileSync(join(cwd, 'f/posts.json'), 'utf8'))).toEqual(JSON.parse(two))
  })

  it('merges edits made by hand without a watch, and reports a broken file', async () => {
    const { cwd, mock, problems, finish } = await load({ 'f/posts.json': two })
    writeFileSync(join(cwd, 'f/posts.json'), '[')
    await send(mock, 'PATCH', '/posts/1', { t: 'request' })
    await expect.poll(() => problems.length).toBe(1)
    writeFileSync(join(cwd, 'f/posts.json'), two.replace('"b"', '"hand"'))
    await finish()
    expect(readFileSync(join(cwd, 'f/posts.json'), 'utf8')).toBe(
      two.replace('"a"', '"request"').replace('"b"', '"hand"'),
    )
  })

  it('reports without a watch which changes an edit by hand has replaced', async () => {
    const { cwd, mock, problems, finish } = await load({ 'f/posts.json': two })
    await send(mock, 'PATCH', '/posts/1', { t: 'request' })
    writeFileSync(join(cwd, 'f/posts.json'), two.replace('"a"', '"hand"'))
    await finish()
    const label = join(cwd, 'f/posts.json')
    expect(problems).toMatchObject([
      {
        severity: 'warning',
        file: label,
        message: `Failed to keep the change of a request to "posts/1": "${label}" was edited in the meantime.`,
      },
    ])
  })

  it('does not report its own writes while it watches', async () => {
    const { mock, json } = await load({ 'f/posts.json': two, 'f/other.json': [] })
    const seen: unknown[] = []
    const { close } = await watch(mock, undefined, { onChange: (change) => seen.push(change) })
    onTestFinished(close)
    await send(mock, 'DELETE', '/posts/1')
    await expect.poll(() => json('f/posts.json')).toHaveLength(1)
    await close()
    expect(seen).toEqual([])
  })

  it('rejects when it finishes with changes that a file does not have', async () => {
    const { cwd, mock, problems } = await load({ 'f/posts.json': two })
    const serving = await serve(mock, { port: 0, host: '127.0.0.1' })
    writeFileSync(join(cwd, 'f/posts.json'), '[')
    await fetch(`${serving.url}/posts/1`, { method: 'DELETE' })
    const file = join(cwd, 'f/posts.json')
    const message = `Failed to write 1 change of requests to "${file}": posts/1.`
    const advice = `They are in "${join(cwd, 'f/.fixtura/posts.json.journal')}": the next start with --persist writes them.`
    await expect(serving.close()).rejects.toThrow(`${message} ${advice}`)
    expect(problems.at(-1)).toEqual({ severity: 'error', file, message, advice })
    // The lock is released.
    writeFileSync(join(cwd, 'f/posts.json'), two)
    const next = await loadMock({ fixtures: 'f', cwd, persist: true })
    expect(next.db['posts']?.all()).toEqual([{ id: 2, t: 'b' }])
    await internalsOf(next).background?.finish()
  })

  it('continues the journal of changes that it could not write when it finished', async () => {
    const { cwd, mock, problems } = await load({ 'f/posts.json': two })
    writeFileSync(join(cwd, 'f/posts.json'), '[')
    await send(mock, 'DELETE', '/posts/1')
    await expect(internalsOf(mock).background?.finish()).rejects.toThrow('posts/1')
    writeFileSync(join(cwd, 'f/posts.json'), two)
    await send(mock, 'POST', '/posts', { t: 'c' })
    await internalsOf(mock).background?.finish()
    expect(JSON.parse(readFileSync(join(cwd, 'f/posts.json'), 'utf8'))).toEqual([
      { id: 2, t: 'b' },
      { id: 3, t: 'c' },
    ])
    expect(listAll(cwd)).toEqual(['f', 'f/posts.json'])
    expect(problems.map(({ severity }) => severity)).toEqual(['error'])
  })

  it('reports once that it cannot write a file, and once that it can again', async () => {
    const mended: string[] = []
    const { cwd, mock, problems, json } = await load({ 'f/posts.json': two }, {}, mended)
    // A folder in the place of the draft is in the way of root too, whom permissions do not stop.
    mkdirSync(join(cwd, 'f/.fixtura/posts.json.tmp'))
    await send(mock, 'DELETE', '/posts/1')
    await expect.poll(() => problems).toHaveLength(1)
    expect(mended).toEqual([])
    rmdirSync(join(cwd, 'f/.fixtura/posts.json.tmp'))
    await expect.poll(() => mended).toEqual([join(cwd, 'f/posts.json')])
    expect(json('f/posts.json')).toEqual([{ id: 2, t: 'b' }])
    expect(problems).toHaveLength(1)
  })

  it('reports what it cannot persist', async () => {
    const { cwd, mock, problems, finish } = await load({
      'f/posts.mjs': 'export default [{ id: 1 }]',
    })
    await send(mock, 'DELETE', '/posts/1')
    mock.reset()
    expect(mock.db['posts']?.count()).toBe(1)
    await finish()
    expect(problems).toMatchObject([{ file: join(cwd, 'f/posts.mjs'), severity: 'warning' }])
  })
})

describe('a mock that does not persist', () => {
  it('touches no file, and reports a journal with writes', async () => {
    const journal = '{"type":"deleted","collection":"posts","id":"1","previous":{"id":1,"t":"a"}}\n'
    const { cwd, mock, problems } = await load(
      { 'f/posts.json': two, 'f/.fixtura/posts.json.journal': journal },
      { persist: false },
    )
    await send(mock, 'DELETE', '/posts/2')
    expect(readFileSync(join(cwd, 'f/posts.json'), 'utf8')).toBe(two)
    expect(readFileSync(join(cwd, 'f/.fixtura/posts.json.journal'), 'utf8')).toBe(journal)
    expect(problems).toMatchObject([
      { file: join(cwd, 'f/.fixtura/posts.json.journal'), severity: 'warning' },
    ])
  })

  it('writes the journal into the files when it persists again, and reports conflicts', async () => {
    const lines = [
      '{"type":"deleted","collection":"posts","id":"1","previous":{"id":1,"t":"a"}}',
      '{"type":"deleted","collection":"posts","id":"2","previous":{"id":2,"t":"other"}}',
    ]
    const { cwd, mock, problems } = await load({
      'f/posts.json': two,
      'f/.fixtura/posts.json.journal': `${lines.join('\n')}\n`,
    })
    expect(mock.db['posts']?.all()).toEqual([{ id: 2, t: 'b' }])
    expect(problems).toMatchObject([{ file: join(cwd, 'f/posts.json'), severity: 'warning' }])
    expect(listAll(join(cwd, 'f/.fixtura'))).toEqual(['lock'])
  })

  it.each(['rest', 'json-server-0', 'json-server-1', 'simple-rest'] as const)(
    'takes over what a killed process wrote as %s',
    async (dialect) => {
      const files = { 'f/posts.json': [{ id: 1 }, { id: 2, t: 'b' }, { t: 'none' }] }
      const { cwd, mock } = await load(files, { dialect })
      await send(mock, 'PATCH', '/posts/2', { t: 'request' })
      await send(mock, 'DELETE', '/posts/1')
      const copy = createFolder()
      // Without the lock of this process, which is alive.
      cpSync(cwd, copy, { recursive: true, filter: (path) => basename(path) !== 'lock' })
      const killed = await loadMock({ fixtures: 'f', cwd: copy, persist: true, dialect })
      onTestFinished(async () => internalsOf(killed).background?.finish())
      const { mock: fresh } = await load(files, { dialect, persist: false })
      await send(fresh, 'PATCH', '/posts/2', { t: 'request' })
      await send(fresh, 'DELETE', '/posts/1')
      expect(killed.db['posts']?.all()).toEqual(fresh.db['posts']?.all())
    },
  )

  it('rejects where it cannot write the journal into the files', async () => {
    const cwd = createFolder({
      'f/posts.json': two,
      'f/.fixtura/posts.json.journal':
        '{"type":"deleted","collection":"posts","id":"1","previous":{"id":1,"t":"a"}}\n',
    })
    // A folder of that name is in the way of root too.
    mkdirSync(join(cwd, 'f/.fixtura/posts.json.tmp/x'), { recursive: true })
    await expect(loadMock({ fixtures: 'f', cwd, persist: true })).rejects.toThrow(
      `Failed to write "${join(cwd, 'f/posts.json')}": EISDIR: illegal operation on a directory. Please correct the cause and start again: a journal holds writes of the last run.`,
    )
  })
})

async function load(files: Files, options: Omit<FileConfig, 'cwd'> = {}, mended: string[] = []) {
  const cwd = createFolder(files)
  const problems: Diagnostic[] = []
  const mock = await loadMock(
    { fixtures: 'f', cwd, persist: true, ...options },
    { onProblem: (problem) => problems.push(problem), onMended: (file) => mended.push(file) },
  )
  const finish = async (): Promise<void> => internalsOf(mock).background?.finish()
  onTestFinished(finish)
  const json = (name: string): unknown => JSON.parse(readFileSync(join(cwd, name), 'utf8'))
  return { cwd, mock, problems, finish, json }
}

function send(
  mock: { fetch(request: Request): Promise<Response> },
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const init = body
    ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    : {}
  return mock.fetch(new Request(`http://localhost${path}`, { method, ...init }))
}

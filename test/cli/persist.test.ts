import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createFolder } from '../unit/loader/folder.ts'
import { type RunningServer, startProgram, startServer } from './program.ts'

const args = ['fixtures', '--persist', '--port', '0']
const posts = [{ id: 1, title: 'Hello' }]
const created = { id: 2, title: 'acknowledged' }

function openServer(cwd: string): Promise<RunningServer> {
  return startServer(args, cwd)
}

async function post({ url }: RunningServer, title: string): Promise<number> {
  const response = await fetch(`${url}/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  return response.status
}

async function list({ url }: RunningServer): Promise<unknown> {
  return (await fetch(`${url}/posts`)).json()
}

/** A folder with a journal of one write, as `kill -9` leaves it. */
async function killAfterWrite(): Promise<string> {
  const cwd = createFolder({ 'fixtures/posts.json': posts, 'fixtures/users.json': [] })
  const server = await openServer(cwd)
  expect(await post(server, created.title)).toBe(201)
  server.child.kill('SIGKILL')
  await server.ended
  return cwd
}

// On Windows a signal from another process ends a program at once.
describe.skipIf(process.platform === 'win32')('mock server --persist', () => {
  it('exits with 1 if it cannot read a journal', async () => {
    const cwd = await killAfterWrite()
    const journal = join(cwd, 'fixtures/.fixtura/posts.json.journal')
    renameSync(journal, join(cwd, 'journal'))
    // A folder in its place cannot be read by root either, whom permissions do not stop.
    mkdirSync(journal)
    const refused = startProgram(['server', ...args], cwd)
    expect(await refused.ended).toEqual({ code: 1, signal: null })
    expect(refused.err()).toBe(
      'Failed to read "fixtures/.fixtura/posts.json.journal": it is a folder. It holds writes of an earlier run. Please make it readable and start again with --persist, or delete it to give up these writes.\n',
    )
    rmSync(journal, { recursive: true })
    renameSync(join(cwd, 'journal'), journal)
    expect(await list(await openServer(cwd))).toEqual([...posts, created])
  })

  it('plays the journal of a fixture file that is back', async () => {
    const cwd = await killAfterWrite()
    renameSync(join(cwd, 'fixtures/posts.json'), join(cwd, 'posts.json'))
    const server = await openServer(cwd)
    expect(server.err()).toContain('Please restore the fixture file, or delete the journal.')
    renameSync(join(cwd, 'posts.json'), join(cwd, 'fixtures/posts.json'))
    await server.printed(/Reloaded: posts/)
    expect(await list(server)).toEqual([...posts, created])
    expect(await post(server, 'next')).toBe(201)
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, signal: null })
    expect(JSON.parse(readFileSync(join(cwd, 'fixtures/posts.json'), 'utf8'))).toEqual([
      ...posts,
      created,
      { id: 3, title: 'next' },
    ])
  })

  it('exits with 1 and says where the writes are that it could not put into a file', async () => {
    const cwd = createFolder({ 'fixtures/posts.json': posts })
    const server = await openServer(cwd)
    writeFileSync(join(cwd, 'fixtures/posts.json'), '[ half')
    expect(await post(server, created.title)).toBe(201)
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 1, signal: null })
    expect(server.err()).toContain(
      'Failed to write 1 change of requests to "fixtures/posts.json": posts/2. They are in "fixtures/.fixtura/posts.json.journal": the next start with --persist writes them.\n',
    )
    writeFileSync(join(cwd, 'fixtures/posts.json'), JSON.stringify(posts))
    expect(await list(await openServer(cwd))).toEqual([...posts, created])
  })
})

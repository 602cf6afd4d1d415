import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo, type FakeIo } from '../fake-io.ts'

const posts = [{ id: 1, title: 'Hello there' }]
const headers = { 'Content-Type': 'application/json' }

/** Starts a server that keeps a file of types; resolves when the file was written or refused. */
async function start(
  files: Files,
  line: string,
): Promise<{ io: FakeIo; cwd: string; read(): string }> {
  const cwd = createFolder(files)
  const io = createFakeIo({ cwd })
  const ended = main([...line.split(' '), '--port', '0'], io)
  onTestFinished(async () => {
    io.send('SIGTERM')
    await ended
  })
  await io.printed(/Wrote: |Failed to write/)
  return { io, cwd, read: () => readFileSync(join(cwd, 'types.d.ts'), 'utf8') }
}

describe('mock server --types', () => {
  it('writes the types at the start, and after edits that change them', async () => {
    const { io, cwd, read } = await start({ 'fixtures/posts.json': posts }, '--types types.d.ts')
    expect(read()).toContain('export interface Post {\n  id: number\n  title: string\n}\n')
    writeFileSync(join(cwd, 'fixtures/posts.json'), '[{ "id": 1, "title": "Other title" }]')
    await io.printed(/Reloaded: posts/)
    writeFileSync(join(cwd, 'fixtures/posts.json'), '[{ "id": 1, "title": 5 }]')
    await io.printed(/Wrote: types\.d\.ts\n[^]*Wrote: types\.d\.ts\n/)
    expect(io.out().match(/Wrote: /g)).toHaveLength(2)
    expect(read()).toContain('  title: number\n')
  })

  it('follows schemas, and new and removed files', async () => {
    const { io, cwd, read } = await start(
      { 'fixtures/posts.json': posts },
      'server --types types.d.ts',
    )
    writeFileSync(
      join(cwd, 'fixtures/posts.schema.json'),
      '{ "properties": { "title": { "enum": ["a"] } } }',
    )
    await io.printed(/(?:Wrote: types\.d\.ts\n[^]*){2}/)
    expect(read()).toContain("  title?: 'a'\n")
    writeFileSync(join(cwd, 'fixtures/users.json'), '[]')
    await io.printed(/(?:Wrote: types\.d\.ts\n[^]*){3}/)
    expect(read()).toContain('  users: User[]\n')
  })

  it('follows what requests persist', async () => {
    const { io, read } = await start(
      { 'fixtures/posts.json': posts },
      '--persist --types types.d.ts',
    )
    const [, url = ''] = /(http:\/\/localhost:\d+)/.exec(io.out()) ?? []
    await fetch(`${url}/posts/1`, { method: 'PATCH', body: '{ "views": 3 }', headers })
    await io.printed(/(?:Wrote: types\.d\.ts\n[^]*){2}/)
    expect(read()).toContain('  title: string\n  views: number\n')
  })

  it('takes the name from the configuration, relative to its folder', async () => {
    const { read } = await start(
      { 'fixtures/posts.json': posts, 'mock.config.json': { types: 'types.d.ts', watch: false } },
      'server',
    )
    expect(read()).toContain('export interface Fixtures')
  })

  it('goes on serving when the file cannot be written', async () => {
    const { io, read } = await start(
      { 'fixtures/posts.json': posts, 'types.d.ts': 'export {}' },
      '--types types.d.ts',
    )
    expect(io.err()).toBe(
      'Failed to write "types.d.ts": Fixtura has not generated the file. Please choose another name, or delete the file.\n',
    )
    const [, url = ''] = /(http:\/\/localhost:\d+)/.exec(io.out()) ?? []
    expect((await fetch(`${url}/posts/1`)).status).toBe(200)
    expect(read()).toBe('export {}')
  })
})

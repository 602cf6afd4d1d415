import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Backend, createData } from './backend.ts'

const modules = join(import.meta.dirname, '../../../node_modules')

/** The programs of json-server 0.17.4 and 1. */
const programs = { 0: 'json-server/lib/cli/bin.js', 1: 'json-server-v1/lib/bin.js' }

/** Serves a database by json-server. */
export async function serveJsonServer(major: keyof typeof programs): Promise<Backend> {
  const folder = mkdtempSync(join(tmpdir(), 'json-server-'))
  const { users, posts } = createData()
  const toId = (id: unknown): unknown => (major === 1 ? String(id) : id)
  const database = {
    users: users.map(({ id, ...rest }) => ({ id: toId(id), ...rest })),
    posts: posts.map(({ id, user_id, ...rest }) => ({
      id: toId(id),
      userId: toId(user_id),
      ...rest,
    })),
    profile: { name: 'Ada' },
  }
  writeFileSync(join(folder, 'db.json'), JSON.stringify(database))
  const port = await freePort()
  const args = [join(modules, programs[major]), 'db.json', '--port', String(port)]
  const child = spawn(process.execPath, [...args, '--host', '127.0.0.1'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  while (!(await isUp(`${origin}/posts/1`))) {
    if (child.exitCode !== null) throw new Error(`json-server ${major} has ended.`)
  }
  return {
    origin,
    async close() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return false
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { bundleWorker, startWorkerd, type Workerd } from '../workerd.ts'

/** SESSIONS=1000 opens that many sessions, and prints what each of them takes. */
const count = Number(process.env['SESSIONS'] ?? 40)

const worker = new URL('../../src/worker.ts', import.meta.url).pathname
const behaviours = new URL('../../src/behaviours.ts', import.meta.url).pathname
const source = `
import { createWorker } from ${JSON.stringify(worker)}
import { auth, fields, idempotency, states } from ${JSON.stringify(behaviours)}
const list = (make) => Array.from({ length: 100 }, (_, at) => make(at + 1))
const fixtures = {
  users: list((id) => ({ id, email: 'user' + id + '@x.org', password: 'secret', role: 'user' })),
  posts: list((id) => ({ id, title: 'Post ' + id, userId: id, text: 'x'.repeat(200) })),
  comments: list((id) => ({ id, postId: id, text: 'x'.repeat(100) })),
}
const use = [auth({ protect: ['DELETE *'] }), idempotency(), fields({ posts: { timestamps: true } }), states({})]
const worker = createWorker({ fixtures, use }, { sessions: { limit: 10_000 } })
export const { MockSession } = worker
export default worker
`

let workerd: Workerd

beforeAll(async () => {
  workerd = await startWorkerd(await bundleWorker(source))
})

afterAll(() => workerd?.close())

it(
  `keeps ${count} sessions apart, also after a restart`,
  async () => {
    await send('first', 'POST', '/posts', { title: 'warm up' })
    const before = memory()
    const names = Array.from({ length: count }, (_, at) => `session-${at}`)
    for (let at = 0; at < count; at += 20) {
      await Promise.all(
        names.slice(at, at + 20).map(async (name) => {
          await send(name, 'POST', '/posts', { title: name })
          await send(name, 'PATCH', '/posts/1', { title: `${name}!` })
          await send(name, 'GET', '/posts?_limit=10')
        }),
      )
    }
    const after = memory()
    await workerd.restart()
    for (const name of names.filter((_, at) => at % 10 === 0)) {
      const titles = (path: string): Promise<unknown> => send(name, 'GET', path)
      expect(await titles('/posts/101')).toMatchObject({ title: name })
      expect(await titles('/posts/1')).toMatchObject({ title: `${name}!` })
    }
    const files = readdirSync(workerd.objects, { recursive: true, encoding: 'utf8' })
    const stored = files.reduce((sum, file) => sum + statSync(join(workerd.objects, file)).size, 0)
    const each = (bytes: number): string => `${(bytes / count / 1024).toFixed(0)} KiB`
    console.info(
      `${count} sessions: ${each(after - before)} of memory, ${each(stored)} of files (with logs of SQLite) each`,
    )
  },
  30_000 + count * 200,
)

async function send(
  session: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(workerd.url + path, {
    method,
    headers: { 'X-Mock-Session': session, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.json()
}

/** The resident memory of the worker's process in bytes; 0 where the system has no /proc. */
function memory(): number {
  try {
    const status = readFileSync(`/proc/${workerd.process.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

import { afterAll, beforeAll, expect, it } from 'vitest'

import { createRandom } from '../../src/core/time/random.ts'
import { bundleWorker, startWorkerd, type Workerd } from '../workerd.ts'

/** KILL_ROUNDS=30 kills the worker that many times. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 3)
const sessions = ['', 'a', 'b', 'c']

const worker = new URL('../../src/worker.ts', import.meta.url).pathname
const source = `
import { createWorker } from ${JSON.stringify(worker)}
const worker = createWorker({ fixtures: { posts: [{ id: 1 }] } })
export const { MockSession } = worker
export default worker
`

let workerd: Workerd

beforeAll(async () => {
  workerd = await startWorkerd(await bundleWorker(source))
})

afterAll(() => workerd?.close())

/** The records that the worker has acknowledged, by session and id; null for a removed record. */
type Acknowledged = Map<string, Map<string, string | null>>

async function send(
  method: string,
  path: string,
  session: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(workerd.url + path, {
    method,
    headers: { 'X-Mock-Session': session, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const value: unknown = await response.json()
  if (!response.ok) throw new Error(JSON.stringify(value))
  return value
}

/** Creates, changes and removes records until the connection breaks; each client has records of its own. */
async function write(
  session: string,
  acknowledged: Map<string, string | null>,
  name: string,
): Promise<number> {
  let count = 0
  try {
    for (;;) {
      const text = `${name} ${count}`
      const { id } = (await send('POST', '/posts', session, { text })) as { id: number }
      acknowledged.set(String(id), text)
      count++
      if (count % 3 === 0) {
        await send('PATCH', `/posts/${id}`, session, { text: `${text}!` })
        acknowledged.set(String(id), `${text}!`)
      }
      if (count % 5 === 0) {
        // Unknown while the removal is not acknowledged.
        acknowledged.delete(String(id))
        await send('DELETE', `/posts/${id}`, session)
        acknowledged.set(String(id), null)
      }
    }
  } catch (error) {
    // The worker refuses nothing: only the end of the connection ends a client.
    if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error
    return count
  }
}

it(
  `loses no acknowledged write when it is killed ${rounds} times under load`,
  async () => {
    const random = createRandom(1)
    const all: Acknowledged = new Map(sessions.map((session) => [session, new Map()]))
    let writes = 0
    for (let round = 0; round < rounds; round++) {
      const clients = sessions.flatMap((session) =>
        [1, 2].map((client) => write(session, all.get(session) ?? new Map(), `${round} ${client}`)),
      )
      // Any moment will do: the more requests before, the more writes.
      for (let at = 0; at < 20 + random() * 40; at++) await send('GET', '/posts?_limit=1', '')
      await workerd.kill()
      const counts = await Promise.all(clients)
      writes += counts.reduce((sum, count) => sum + count, 0)
      await workerd.restart()
      for (const [session, acknowledged] of all) {
        const posts = (await send('GET', '/posts', session)) as { id: number; text: string }[]
        const stored = new Map(posts.map(({ id, text }) => [String(id), text]))
        const lost = [...acknowledged].filter(([id, text]) => {
          const now = stored.get(id)
          // A change without acknowledgement may be stored, too.
          return text === null ? now !== undefined : now !== text && now !== `${text}!`
        })
        expect(lost, `session "${session}" in round ${round}`).toEqual([])
      }
    }
    expect(writes).toBeGreaterThan(rounds * 8)
    console.info(`${rounds} rounds, ${writes} acknowledged writes`)
  },
  30_000 + rounds * 20_000,
)

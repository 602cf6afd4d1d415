import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { expect, it } from 'vitest'

import { createFolder } from '../unit/loader/folder.ts'
import { startServer } from './program.ts'

/** How often the server is killed: `KILL_ROUNDS=40 npx vitest run test/cli/kill-persist.test.ts`. */
const rounds = Number(process.env['KILL_ROUNDS'] ?? 3)
const clients = 8

/** A record; undefined if it was deleted. */
type Row = { id: number; client: number; count: number; hand?: string } | undefined

/** What the server may hold of a record: the last state that it has answered, and one that it has not answered. */
interface Expected {
  answered: Row
  open?: { row: Row }
}

// On Windows a signal from another process ends a program at once.
it.skipIf(process.platform === 'win32')(
  'a server that is killed loses no answered write, and keeps edits by hand',
  async () => {
    const cwd = createFolder({
      'fixtures/posts.json': '[\n  { "id": 1, "client": -1, "count": 0 }\n]\n',
    })
    const file = join(cwd, 'fixtures/posts.json')
    /** By id. */
    const expected = new Map<number, Expected>()
    let nextId = 2
    let hand = ''
    const refused: number[] = []
    let writes = 0

    const writeUntilKilled = async (url: string, client: number): Promise<void> => {
      const own: number[] = []
      for (let count = 0; ; count++) {
        const last = own.at(-1)
        const kind =
          last === undefined || count % 4 === 0 ? 'POST' : count % 4 === 3 ? 'DELETE' : 'PATCH'
        const id = kind === 'POST' || last === undefined ? nextId++ : last
        const row = kind === 'DELETE' ? undefined : { id, client, count }
        const state: Expected = { answered: expected.get(id)?.answered, open: { row } }
        expected.set(id, state)
        const response = await fetch(kind === 'POST' ? `${url}/posts` : `${url}/posts/${id}`, {
          method: kind,
          headers: { 'content-type': 'application/json' },
          ...(row && { body: JSON.stringify(row) }),
        })
        if (!response.ok) refused.push(response.status)
        writes++
        expected.set(id, { answered: row })
        if (kind === 'POST') own.push(id)
        if (kind === 'DELETE') own.pop()
      }
    }

    for (let round = 0; round < rounds; round++) {
      const server = await startServer(['fixtures', '--persist', '--port', '0'], cwd)
      const list = (await (await fetch(`${server.url}/posts`)).json()) as NonNullable<Row>[]
      const rows = new Map(list.map((row) => [row.id, row]))
      expect(rows.get(1)).toEqual({ id: 1, client: -1, count: 0, ...(hand && { hand }) })
      for (const [id, { answered, open }] of expected) {
        const row = rows.get(id)
        const states = open ? [answered, open.row] : [answered]
        expect(states, `record ${id} in round ${round}`).toContainEqual(row)
        expected.set(id, { answered: row })
      }
      expect([...rows.keys()].filter((id) => id !== 1 && !expected.has(id))).toEqual([])
      const working = Array.from({ length: clients }, (_, client) =>
        writeUntilKilled(server.url, client).catch(() => undefined),
      )
      await setTimeout(Math.random() * 400)
      server.child.kill('SIGKILL')
      await server.ended
      await Promise.all(working)
      // The user edits a record that no request writes.
      hand = `round ${round}`
      const text = readFileSync(file, 'utf8')
      writeFileSync(
        file,
        text.replace(
          /\{ "id": 1, .*?\}/,
          `{ "id": 1, "client": -1, "count": 0, "hand": "${hand}" }`,
        ),
      )
    }
    expect(refused).toEqual([])
    expect(writes).toBeGreaterThan(rounds)
  },
)

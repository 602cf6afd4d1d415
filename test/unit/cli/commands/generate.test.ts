import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder, type Files } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'

const posts = `[
    { "id": 1, "title": "Hello world", "userId": 1 },
    { "id": 2, "title": "Notes on looms", "userId": 1 },
    { "id": 3, "title": "A plan for spring", "userId": 2 }
]
`
const files: Files = {
  'fixtures/posts.json': posts,
  'fixtures/users.json': [
    { id: 1, name: 'Ada King' },
    { id: 2, name: 'Bo Li' },
  ],
  'fixtures/events.schema.json': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['start', 'end'] } },
  },
}

async function run(
  line: string,
  given = files,
): Promise<{ code: number; out: string; err: string; cwd: string }> {
  const cwd = createFolder(given)
  const io = createFakeIo({ cwd })
  const code = await main(['generate', ...line.split(' ')], io)
  return { code, out: io.out(), err: io.err(), cwd }
}

const read = (cwd: string, name: string): unknown =>
  JSON.parse(readFileSync(join(cwd, name), 'utf8'))

describe('mock generate', () => {
  it('adds records to files, which keep their layout', async () => {
    const { code, out, err, cwd } = await run('posts=20 users=4 events=2 --seed 7')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('posts  17 new records, 20 in all')
    expect(
      readFileSync(join(cwd, 'fixtures/posts.json'), 'utf8').startsWith(posts.slice(0, -3)),
    ).toBe(true)
    const all = read(cwd, 'fixtures/posts.json') as { userId: number }[]
    expect(all).toHaveLength(20)
    expect(new Set(all.map(({ userId }) => userId)).size).toBeGreaterThan(2)
    const check = createFakeIo({ cwd })
    expect([await main(['check'], check), check.out()]).toEqual([
      0,
      'No problems: 3 resources, 26 records.\n',
    ])
  })

  it('writes a file for a collection that has a schema alone', async () => {
    const { code, out, cwd } = await run('events=5')
    expect([code, out]).toEqual([
      0,
      'events  5 new records, 5 in all\nwrote  fixtures/events.json\n',
    ])
    const events = read(cwd, 'fixtures/events.json') as { id: number; kind: string }[]
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
    expect(events.every(({ kind }) => kind === 'start' || kind === 'end')).toBe(true)
  })

  it('prints records and writes nothing with --dry-run', async () => {
    const { code, out, cwd } = await run('posts=9 --dry-run')
    expect([code, out.split('\n').length]).toEqual([0, 5])
    expect(readFileSync(join(cwd, 'fixtures/posts.json'), 'utf8')).toBe(posts)
  })

  it('writes to another folder with --out', async () => {
    const { code, cwd } = await run('posts=9 --out data')
    expect(code).toBe(0)
    expect(read(cwd, 'data/posts.json')).toHaveLength(9)
    expect(readFileSync(join(cwd, 'fixtures/posts.json'), 'utf8')).toBe(posts)
    expect(existsSync(join(cwd, 'data/users.json'))).toBe(false)
  })

  it('gives names of the language that --locale names', async () => {
    const [english, german] = [
      await run('users=30 --dry-run'),
      await run('users=30 --dry-run --locale de'),
    ]
    expect(german.code).toBe(0)
    expect(german.out).not.toBe(english.out)
  })

  it.each([
    ['fixtures', 'no collection is named. Please write "npx fixtura generate posts=100".'],
    ['posts=many', '"many" is no number of records. Please write posts=100.'],
    [
      'poots=3',
      'there is no example. Please add a fixture with three records, or poots.schema.json. Did you mean "posts"?',
    ],
    ['posts=4 --locale klingon', '@faker-js/faker has no such locale, or is not installed.'],
  ])('refuses %s', async (line, message) => {
    const { code, err, cwd } = await run(line)
    expect([code, err]).toEqual([1, expect.stringContaining(message)])
    expect(readFileSync(join(cwd, 'fixtures/posts.json'), 'utf8')).toBe(posts)
  })
})

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Learned } from '../../../../src/core/learn/learned.ts'
import { createLearner } from '../../../../src/core/learn/learner.ts'
import { writeLearned } from '../../../../src/record/files/write-learned.ts'
import { createFolder } from '../../loader/folder.ts'

/** What a recording learns from an API whose records have a version, with an answer that is no record. */
function learn(version: string, ids: readonly number[], limitName = 'limit'): Learned {
  const learner = createLearner({ origin: 'http://api.test' })
  const add = (path: string, body: unknown, method = 'GET'): void => {
    learner.add({
      startedAt: 1,
      method,
      url: `http://api.test${path}`,
      requestHeaders: [],
      requestBody: undefined,
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify(body),
    })
  }
  const toRecords = (from: readonly number[]): unknown[] => from.map((id) => ({ id, version }))
  add('/posts', toRecords(ids))
  add('/users', toRecords(ids))
  for (const id of ids) add(`/posts/${id}`, { id, version })
  add(`/posts?${limitName}=2`, toRecords(ids.slice(0, 2)))
  add('/search', { found: version }, 'POST')
  return learner.learned()
}

/** Makes the write end at a file as a kill would: nothing after it is written. */
async function killAt(cwd: string, file: string, learned: Learned): Promise<void> {
  chmodSync(join(cwd, file), 0o444)
  await expect(writeLearned(learned, { out: 'f', cwd })).rejects.toThrow('Failed to write')
  chmodSync(join(cwd, file), 0o644)
}

const readPosts = (cwd: string): unknown =>
  JSON.parse(readFileSync(join(cwd, 'f/posts.json'), 'utf8')) as unknown

const readAnswers = (cwd: string): unknown[] =>
  (
    JSON.parse(readFileSync(join(cwd, 'f/_recorded/search.json'), 'utf8')) as { value: unknown }[]
  ).map(({ value }) => value)

const records = (version: string, ids: readonly number[]): unknown[] =>
  ids.map((id) => ({ id, version }))

describe('a write that ends between two files', () => {
  it.each([['f/users.json'], ['f/posts.json'], ['mock.config.jsonc'], ['f/_recorded/_state.json']])(
    'at %s does not look like edits by hand',
    async (file) => {
      const cwd = createFolder({})
      await writeLearned(learn('old', [1, 2, 3]), { out: 'f', cwd })
      expect(existsSync(join(cwd, file)), file).toBe(true)
      // Twice, so that the second write begins from what the first one left.
      await killAt(cwd, file, learn('new', [1, 2, 3, 4], 'size'))
      await killAt(cwd, file, learn('newer', [1, 3, 4], 'size'))
      const learned = learn('last', [1, 2, 3, 4, 5], 'size')
      const written = await writeLearned(learned, { out: 'f', cwd })
      expect(readPosts(cwd)).toEqual(records('last', [1, 2, 3, 4, 5]))
      expect(written.different).toEqual([])
      expect(readAnswers(cwd)).toEqual([{ found: 'last' }])
      const state = readFileSync(join(cwd, 'f/_recorded/_state.json'), 'utf8')
      expect(state).not.toContain('"next"')
    },
  )

  it('keeps edits by hand', async () => {
    const cwd = createFolder({})
    await writeLearned(learn('old', [1, 2, 3]), { out: 'f', cwd })
    await killAt(cwd, 'f/users.json', learn('new', [1, 2, 3, 4]))
    // Edits one record, and removes another.
    writeFileSync(
      join(cwd, 'f/posts.json'),
      JSON.stringify([{ id: 1, version: 'hand' }, ...records('new', [3, 4])], null, 2),
    )
    await writeLearned(learn('last', [1, 2, 3, 4]), { out: 'f', cwd })
    expect(readPosts(cwd)).toEqual([{ id: 1, version: 'hand' }, ...records('last', [3, 4])])
  })

  it('removes the temporary files that a kill has left', async () => {
    const cwd = createFolder({ 'f/users.json': [] })
    for (const folder of ['f', 'f/_recorded', '.']) {
      mkdirSync(join(cwd, folder, '.fixtura'), { recursive: true })
    }
    const left = ['f/.fixtura/posts.json.tmp', 'f/_recorded/.fixtura/_state.json.tmp']
    const all = [...left, '.fixtura/mock.config.jsonc.tmp', '.fixtura/db.json.tmp']
    for (const file of all) writeFileSync(join(cwd, file), '[')
    await writeLearned(learn('old', [1]), { out: 'f', cwd })
    // Another program persists `db.json`.
    expect(all.filter((file) => existsSync(join(cwd, file)))).toEqual(['.fixtura/db.json.tmp'])
  })
})

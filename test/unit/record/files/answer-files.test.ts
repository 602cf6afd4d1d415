import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createLearner } from '../../../../src/core/learn/learner.ts'
import { writeLearned } from '../../../../src/record/files/write-learned.ts'
import { loadMock } from '../../../../src/node.ts'
import { createFolder } from '../../loader/folder.ts'

/** Writes what is learned from searches and reports, each with an answer. */
async function record(cwd: string, answers: Readonly<Record<string, unknown>>): Promise<void> {
  const learner = createLearner({ origin: 'http://api.test' })
  for (const [path, body] of Object.entries(answers)) {
    learner.add({
      startedAt: 1,
      method: 'GET',
      url: `http://api.test/api${path}`,
      requestHeaders: [],
      requestBody: undefined,
      status: 200,
      headers: [['Content-Type', 'application/json']],
      body: JSON.stringify(body),
    })
  }
  await writeLearned(learner.learned(), { out: 'f', cwd })
}

const fileOf = (cwd: string): string => join(cwd, 'f/_recorded/search.json')
const read = (file: string): { value: unknown }[] =>
  JSON.parse(readFileSync(file, 'utf8')) as { value: unknown }[]

const first = {
  '/search?q=a': { hits: 1 },
  '/search?q=b': { hits: 2 },
  '/stats/today': { visits: 3 },
}

describe('recorded answers', () => {
  it('stand in one file for each first name of their paths, which the mock serves', async () => {
    const cwd = createFolder({})
    await record(cwd, first)
    const files = readdirSync(join(cwd, 'f/_recorded'))
    expect(files.toSorted()).toEqual(['_state.json', 'search.json', 'stats.json'])
    writeFileSync(join(cwd, 'f/posts.json'), '[]')
    const mock = await loadMock(join(cwd, 'f'))
    const answer = await mock.fetch('http://x/api/search?q=b')
    expect(await answer.json()).toEqual({ hits: 2 })
  })

  it('stay, if they were edited or removed', async () => {
    const cwd = createFolder({})
    await record(cwd, first)
    const [edited, removed] = read(fileOf(cwd))
    expect(removed).toBeDefined()
    writeFileSync(fileOf(cwd), JSON.stringify([{ ...edited, value: 'by hand' }]))
    await record(cwd, { ...first, '/search?q=c': { hits: 9 } })
    expect(read(fileOf(cwd)).map(({ value }) => value)).toEqual(
      expect.arrayContaining(['by hand', { hits: 9 }]),
    )
    expect(read(fileOf(cwd))).toHaveLength(2)
  })

  it('do not replace a file that is broken', async () => {
    const cwd = createFolder({})
    await record(cwd, first)
    writeFileSync(fileOf(cwd), '[{')
    await record(cwd, { '/search?q=a': { hits: 5 } })
    expect(readFileSync(fileOf(cwd), 'utf8')).toBe('[{')
  })
})

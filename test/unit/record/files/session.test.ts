import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createLearner } from '../../../../src/core/learn/learner.ts'
import type { RecordedExchange } from '../../../../src/core/learn/parse-exchange.ts'
import { writeLearned } from '../../../../src/record/files/write-learned.ts'
import { createFolder } from '../../loader/folder.ts'

/** Creates a recording that learns from lists, and writes the configuration after each. */
function createSession(cwd: string): (path: string) => Promise<void> {
  const learner = createLearner({ origin: 'http://api.test' })
  const session = {}
  return async (path) => {
    learner.add(listAt(path))
    await writeLearned(learner.learned(), { out: 'fixtures', cwd, session })
  }
}

const listAt = (path: string): RecordedExchange => ({
  startedAt: 1,
  method: 'GET',
  url: `http://api.test${path}`,
  requestHeaders: [],
  requestBody: undefined,
  status: 200,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ data: [{ id: 1 }, { id: 2 }], total: 2 }),
})

const textOf = (cwd: string): string => readFileSync(join(cwd, 'mock.config.jsonc'), 'utf8')

describe('a file of a recording that goes on', () => {
  it('is gone once its resource has another name, unless it was edited or is older', async () => {
    const cwd = createFolder({})
    const at = (name: string): string => join(cwd, 'fixtures', name)
    const add = createSession(cwd)
    await add('/api/posts')
    expect(existsSync(at('posts.json'))).toBe(true)
    // A path outside of `/api`, so that no base is left.
    await add('/tags')
    expect(existsSync(at('posts.json'))).toBe(false)
    expect(existsSync(at('api/posts.json'))).toBe(true)

    const other = createSession(cwd)
    await other('/api/posts')
    await other('/tags')
    expect(existsSync(at('tags.json'))).toBe(true)
    writeFileSync(at('tags.json'), '[{ "id": 1, "by": "hand" }]')
    await other('/v2/tags')
    expect(readFileSync(at('tags.json'), 'utf8')).toContain('by')
  })
})

describe('the configuration of a recording that goes on', () => {
  it('has no option that it has learned no more', async () => {
    const cwd = createFolder({})
    const add = createSession(cwd)
    await add('/posts?size=2')
    expect(textOf(cwd)).toContain('"limit": "size"')
    await add('/posts?page=1&size=2')
    expect(textOf(cwd)).toContain('"perPage": "size"')
    expect(textOf(cwd)).not.toContain('"limit": "size"')
  })

  it('keeps the options of earlier recordings', async () => {
    const cwd = createFolder({})
    await createSession(cwd)('/posts?size=2')
    await createSession(cwd)('/posts?page=1')
    expect(textOf(cwd)).toContain('"limit": "size"')
    expect(textOf(cwd)).toContain('"page": "page"')
  })

  it('is that of one write of all requests', async () => {
    const [cwd, other] = [createFolder({}), createFolder({})]
    const add = createSession(cwd)
    const paths = ['/posts?size=2', '/notes?order_by=id', '/albums?page=1&size=2', '/posts?limit=2']
    for (const path of paths) await add(path)
    const learner = createLearner({ origin: 'http://api.test' })
    for (const path of paths) learner.add(listAt(path))
    await writeLearned(learner.learned(), { out: 'fixtures', cwd: other })
    expect(textOf(cwd)).toBe(textOf(other))
    expect(
      Math.max(
        ...textOf(cwd)
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThan(101)
    expect(textOf(cwd)).toContain('"perPage": [ "size", "limit" ]')
  })

  it('has the comments of the last write, as long as nobody edits the file', async () => {
    const cwd = createFolder({})
    const add = createSession(cwd)
    await add('/posts?size=2')
    await add('/posts?size=2&order_by=id')
    expect(textOf(cwd)).toContain('// seen in requests of lists: size (2), order_by (1)')
    writeFileSync(join(cwd, 'mock.config.jsonc'), `// mine\n${textOf(cwd)}`)
    await add('/posts?size=1&q=x')
    expect(textOf(cwd)).toMatch(/^\/\/ mine\n/)
  })
})

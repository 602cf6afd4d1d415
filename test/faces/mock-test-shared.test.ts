import { join } from 'node:path'

import { expect, it, onTestFinished, vi } from 'vitest'
import { createVitest, type Reporter } from 'vitest/node'

import { createFolder } from '../unit/loader/folder.ts'

const entry = (name: string): string => JSON.stringify(join(import.meta.dirname, '../../src', name))

it('mockTest fails the tests of a file if another file has called it', async () => {
  const use = `import { test } from './test.js'
    test('isolated', ({ db }) => void db.posts.clear())`
  const root = createFolder({
    'test.js': `import { createMock } from ${entry('index.ts')}
      import { mockTest } from ${entry('vitest.ts')}
      export const test = mockTest(createMock({ fixtures: { posts: [] } }))`,
    'a.test.js': use,
    'b.test.js': use,
  })
  const told: (string | undefined)[] = []
  const reporter: Reporter = {
    onTestCaseResult: (test) => void told.push(test.result().errors?.[0]?.message),
  }
  // Vitest would prefer a number in the environment to `maxWorkers`.
  vi.stubEnv('VITEST_MAX_WORKERS', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    isolate: false,
    maxWorkers: 1,
    reporters: [reporter],
  })
  onTestFinished(() => vitest.close())
  await vitest.start()
  expect(told).toEqual([
    undefined,
    'Failed to isolate a test: "mockTest" was called for another test file. Please call it in each test file, or keep the option "isolate" of Vitest on.',
  ])
})

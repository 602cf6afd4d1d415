import { EventEmitter } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { FSWatcher } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createVitest, type Reporter, type TestUserConfig } from 'vitest/node'

import { rerun } from '../../../../src/faces/vite/vitest.ts'
import { fixtura } from '../../../../src/vite.ts'
import { createFolder } from '../../loader/folder.ts'

const plugins = [fixtura()]

const rows: [title: string, config: { plugins?: typeof plugins; test: TestUserConfig }][] = [
  ['by itself', { plugins, test: {} }],
  ['with projects', { test: { projects: [{ plugins, test: { name: 'one' } }] } }],
]

it.each(rows)('Vitest %s runs again what fixtures are changed for', async (_title, config) => {
  const root = createFolder({
    'fixtures/posts.json': [{ id: 1, title: 'Old' }],
    'a.test.js': `import { fixtures } from 'virtual:fixtura'
      import { it } from 'vitest'
      it(JSON.stringify(fixtures.data), () => {})`,
  })
  const ran: string[] = []
  const reporter: Reporter = { onTestCaseResult: ({ name }) => void ran.push(name) }
  const vitest = await createVitest(
    'test',
    { root, config: false, watch: true, reporters: [reporter] },
    { plugins: config.plugins ?? [], test: config.test },
  )
  onTestFinished(() => vitest.close())
  await vitest.start()
  expect(ran).toEqual(['{"posts":[{"id":1,"title":"Old"}]}'])
  const steps: [change: () => void, expected: string][] = [
    [() => writeFileSync(join(root, 'fixtures/posts.json'), '[]'), '{"posts":[]}'],
    [() => writeFileSync(join(root, 'fixtures/new.json'), '[]'), '{"new":[],"posts":[]}'],
    [() => rmSync(join(root, 'fixtures/new.json')), '{"posts":[]}'],
  ]
  for (const [change, expected] of steps) {
    const before = ran.length
    change()
    await expect.poll(() => ran.slice(before), { timeout: 10_000 }).toContain(expected)
  }
})

it('leaves Vitest 3 alone, which cannot be told', () => {
  const watcher = Object.assign(new EventEmitter(), { add: vi.fn() }) as object as FSWatcher
  rerun({ vite: { watcher }, watcher: {} }, ['/app/fixtures'])
  expect(watcher.emit('all', 'add', '/app/fixtures/new.json')).toBe(true)
})

import { EventEmitter } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { FSWatcher } from 'vite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createVitest, type Reporter, type TestUserConfig } from 'vitest/node'

import { rerunTests } from '../../src/faces/vite/plugin.ts'
import { fixtura } from '../../src/vite.ts'
import { createFolder } from '../unit/loader/folder.ts'

const plugins = [fixtura()]
const others = [fixtura({ fixtures: ['more', '../fixtures'] })]

const rows: [string, string, { plugins?: typeof plugins; test: TestUserConfig }][] = [
  ['by itself', '.', { plugins, test: {} }],
  ['with a page', '.', { plugins, test: { environment: 'jsdom' } }],
  [
    'with a project and fixtures from elsewhere',
    'app',
    { test: { projects: [{ plugins: others, test: { name: 'one' } }] } },
  ],
]

it.each(rows)('Vitest %s reruns tests after a change of fixtures', async (_title, at, config) => {
  const folder = createFolder({
    'fixtures/posts.json': [{ id: 1, title: 'Old' }],
    'app/more/profile.json': {},
    [`${at}/a.test.js`]: `import { fixtures } from 'virtual:fixtura'
      import { it } from 'vitest'
      const { posts, users } = fixtures.data
      it(JSON.stringify({ posts, users }), () => {})`,
  })
  const root = join(folder, at)
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
    [() => writeFileSync(join(folder, 'fixtures/posts.json'), '[]'), '{"posts":[]}'],
    [() => writeFileSync(join(folder, 'fixtures/users.json'), '[]'), '{"posts":[],"users":[]}'],
    [() => rmSync(join(folder, 'fixtures/users.json')), '{"posts":[]}'],
  ]
  for (const [change, expected] of steps) {
    const before = ran.length
    change()
    await expect.poll(() => ran.slice(before)).toContain(expected)
  }
})

it('does nothing with Vitest 3, which has no such function', () => {
  const watcher = Object.assign(new EventEmitter(), { add: vi.fn() }) as object as FSWatcher
  rerunTests({ vite: { watcher }, watcher: {} }, ['/app/fixtures'])
  expect(watcher.emit('all', 'add', '/app/fixtures/users.json')).toBe(true)
})

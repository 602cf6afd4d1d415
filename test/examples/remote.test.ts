import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { startProgram } from '../cli/program.ts'
import { blocksOf } from './pages.ts'
import { openProject } from './project.ts'

/** The files that the pages show: those with the name of a file of the example. */
const shown = ['reference/remote.md', 'reference/playwright.md']
  .flatMap(blocksOf)
  .flatMap(({ path, code }) =>
    path !== undefined && existsSync(join(import.meta.dirname, 'remote', path))
      ? [[path, code] as const]
      : [],
  )

it('has the files that the document shows', () => {
  expect(shown.length).toBeGreaterThan(5)
})

it.each(shown)('has "%s" as the document shows it', (name, code) => {
  expect(readFileSync(join(import.meta.dirname, 'remote', name), 'utf8')).toBe(code)
})

it('passes with Vitest, which starts the mock', async () => {
  const { run } = await openProject('remote', ['vitest', 'vite'], ['3000'])
  const output = await run('vitest/vitest.mjs', 'run', '--reporter=json')
  const { numPassedTests, numFailedTests } = JSON.parse(output) as Record<string, number>
  expect([numPassedTests, numFailedTests], output).toEqual([3, 0])
})

it('passes with node:test against "mock server"', async () => {
  const { folder, ports, run } = await openProject('remote', [], ['3000'])
  const server = startProgram(['server', '--port', String(ports.get('3000'))], folder)
  await server.printed(/http:\/\/localhost:\d+/)
  const output = await run('', '--test', '--test-reporter=tap', 'node/posts.test.js')
  expect(output).toContain('# pass 1\n# fail 0')
})

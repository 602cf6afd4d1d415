import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { filesOf, pages } from './pages.ts'
import { machineConfig, openProject } from './project.ts'

/** The parts of the tutorial, in their order. */
const parts = pages.filter((page) => page.startsWith('start/tutorial/')).toSorted()

describe.each(['React', 'Vue'])('the tutorial with %s', (framework) => {
  const name = `tutorial-${framework.toLowerCase()}`
  const folder = join(import.meta.dirname, name)
  const files = filesOf(parts, framework)

  it('ends with the project of the repository', () => {
    expect(parts).toHaveLength(6)
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
    // Those that the generator of Vite writes.
    const generated = ['index.html', 'package.json', 'tsconfig.json']
    expect(names.toSorted()).toEqual([...files.keys(), ...generated].toSorted())
    for (const [path, code] of files)
      expect(readFileSync(join(folder, path), 'utf8'), path).toBe(code)
  })

  const packages = ['@playwright/test', '@testing-library/dom', 'jsdom', 'msw', 'vite', 'vitest']
  const own =
    framework === 'React'
      ? ['@vitejs/plugin-react', 'react', 'react-dom']
      : ['@vitejs/plugin-vue', 'vue']

  it('passes its tests in Vitest', async () => {
    const { run } = await openProject(name, [...packages, ...own], ['5173'])
    const output = await run('vitest/vitest.mjs', 'run', '--reporter=json')
    const { numPassedTests, numFailedTests } = JSON.parse(output) as Record<string, number>
    expect([numPassedTests, numFailedTests], output).toEqual([4, 0])
  })

  it('passes its tests in Playwright, in parallel', async () => {
    const { run, write } = await openProject(name, [...packages, ...own], ['5173'])
    write(...machineConfig)
    const output = await run('@playwright/test/cli.js', 'test', '-c', machineConfig[0])
    expect(output).toContain('4 passed')
  })
})

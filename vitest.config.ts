import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { defineConfig } from 'vitest/config'

/** What gives a test file modules other than those of the files before: `vi.mock`, `vi.doMock`, `vi.resetModules`. */
const replacesModules = /\bvi\.(?:mock|doMock|resetModules)\(/

/**
 * The tests whose files share their modules, which costs half a second less for each file: a test restores what it
 * changes outside of itself. The tests of growth count the steps of modules that nothing has loaded before, and the
 * tables of `side-by-side` add a face.
 */
const shared = ['test/unit', 'test/contract'].flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter(
      (path) => /\.test\.tsx?$/.test(path) && !/(?:growth|side-by-side)\.test\.ts$/.test(path),
    )
    .filter((path) => !replacesModules.test(readFileSync(join(import.meta.dirname, path), 'utf8'))),
)
/** The folders that `npm test` runs; `npm run test:all` runs the project `wide`, which has the others. */
const daily = ['unit', 'contract', 'files', 'faces', 'cli'].map(
  (folder) => `test/${folder}/**/*.test.{ts,tsx}`,
)
const setups: Record<string, string> = {
  workerd: 'test/worker/setup.ts',
  runtimes: 'test/runtimes/setup.ts',
}

export default defineConfig({
  resolve: {
    // MSW=3 runs the same tests with msw 3, which is installed beside msw 2 under another name.
    alias: process.env['MSW'] === '3' ? [{ find: /^msw(?=\/|$)/, replacement: 'msw3' }] : [],
  },
  test: {
    // CONTRACT_FACE=workerd runs the tables of test/contract inside of workerd too, CONTRACT_FACE=runtimes with
    // RUNTIMES='bun, deno run -A' on Bun and Deno, and 'workerd,runtimes' on all of them.
    globalSetup: (process.env['CONTRACT_FACE'] ?? '')
      .split(',')
      .flatMap((name) => setups[name] ?? []),
    // Transformed modules are kept below node_modules for the second project and for later runs.
    experimental: { fsModuleCache: true },
    // A slow machine takes minutes for what a fast one does in seconds, and a test that hangs is found all the same.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'wide',
          include: ['test/**/*.test.{ts,tsx}'],
          // The tests of examples need a server or packages of their own; the tests beside them run them.
          exclude: [
            ...daily,
            'test/browser/**',
            'test/examples/**/node_modules/**',
            'test/examples/remote/**',
            'test/examples/tutorial-*/**',
          ],
        },
      },
      { extends: true, test: { name: 'isolated', include: daily, exclude: shared } },
      { extends: true, test: { name: 'shared', isolate: false, include: shared } },
    ],
  },
})

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, expect, it } from 'vitest'

import { blocksOf } from './pages.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'fixtura-docs-'))

/** The pages about tests, which share `mock.ts`. */
const pages = [
  'guides/change-data-in-a-test.md',
  'guides/parallel-tests.md',
  'reference/data.md',
  'reference/log.md',
  'reference/playwright.md',
  'reference/rules.md',
  'set-up/storybook.md',
]

/** The files of the pages. */
const files = pages
  .flatMap(blocksOf)
  .flatMap(({ path, code }) => (path?.endsWith('.ts') ? [[path, code] as const] : []))

/** What the document's files import, beside the package itself. */
const packages = ['@playwright/test', '@types', 'msw', 'vitest']

/** What stands for packages that are not installed here: the part of their types that is used. */
const others = `declare module 'storybook/test' {
  export { expect } from '@playwright/test'
}

declare module '@storybook/react-vite' {
  type Find = (what: string, options?: { name: string }) => Promise<Element>
  export interface Meta<Component> {
    component: Component
  }
  export interface StoryObj {
    parameters?: Record<string, unknown>
    play?(context: {
      canvas: { findByRole: Find; findByText: Find }
      userEvent: { click(element: Element): Promise<void> }
      loaded: Record<string, any>
    }): Promise<void>
  }
}
`

afterAll(() => rmSync(folder, { recursive: true }))

write('package.json', '{ "type": "module" }')
write('others.d.ts', others)
for (const [name, code] of files) write(name, code)
// The component of the stories, and their data.
write('src/Posts.tsx', 'export function Posts() {\n  return null\n}\n')
write('fixtures/posts.json', '[{ "id": 1, "title": "Hello" }]')
mkdirSync(join(folder, 'node_modules/@playwright'), { recursive: true })
link('fixtura', root)
for (const name of packages) {
  link(name, realpathSync(join(root, 'node_modules', name)))
}
write(
  'tsconfig.json',
  JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'ES2023',
      module: 'Preserve',
      jsx: 'preserve',
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    include: ['*.ts', '.storybook', 'e2e', 'src'],
  }),
)

it('has files for every kind of test', () => {
  expect(files.map(([name]) => name)).toContain('mock.ts')
  expect(files.length).toBeGreaterThan(7)
})

it('compiles', async () => {
  expect(await run('typescript/bin/tsc', '--pretty', 'false')).toBe('')
})

it('passes its own tests', async () => {
  const output = await run('vitest/vitest.mjs', 'run', '--reporter=json')
  const totals = JSON.parse(output) as Record<string, unknown>
  expect(totals, output).toMatchObject({ numPassedTests: 15, numFailedTests: 0, success: true })
})

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}

function link(name: string, target: string): void {
  symlinkSync(target, join(folder, 'node_modules', name), 'dir')
}

/** What a program of a package prints in the folder, whatever its exit code. */
async function run(script: string, ...args: string[]): Promise<string> {
  const command = [join(root, 'node_modules', script), ...args]
  const env = { ...process.env, VITEST: undefined, NODE_ENV: undefined, NO_COLOR: '1' }
  return promisify(execFile)(process.execPath, command, { cwd: folder, env }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
}

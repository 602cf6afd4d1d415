import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'

import { createFolder } from '../unit/loader/folder.ts'

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docs/reference/vite.md'), 'utf8')

/** The code of the block of the document whose first line names a file, and which contains a text. */
function codeOf(name: string, part: string): string {
  const blocks = text.matchAll(/```ts\n\/\/ (?<name>\S+)\n(?<code>[^]*?)```/g)
  const codes = [...blocks].flatMap(({ groups }) =>
    groups?.['name'] === name && groups['code']?.includes(part) ? [groups['code']] : [],
  )
  const [code] = codes
  if (code === undefined) throw new Error(`The document has no ${name} with ${part}.`)
  return code
}

/** The project of the document, in a package of either kind. */
function createProject(type: 'module' | 'commonjs'): string {
  const folder = createFolder({
    'package.json': { type },
    'mock.config.ts': codeOf('mock.config.ts', 'auth('),
    'vite.config.ts': codeOf('vite.config.ts', './mock.config.ts'),
    'fixtures/posts.json': [{ id: 1 }],
    'fixtures/users.json': [{ id: 1, email: 'ada@x.org' }],
    'node_modules/.keep': '',
  })
  for (const name of ['vite', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'dir')
  }
  symlinkSync(root, join(folder, 'node_modules/fixtura'), 'dir')
  return folder
}

/** What a program prints in a folder, whatever its exit code. */
async function run(cwd: string, script: string, ...args: string[]): Promise<string> {
  const command = [join(root, script), ...args]
  return promisify(execFile)(process.execPath, command, { cwd }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )
}

it.each(['module', 'commonjs'] as const)(
  'one typed configuration in a package of the type %s serves the command and Vite',
  async (type) => {
    const folder = createProject(type)
    expect(await run(folder, 'bin/mock.js', 'check')).toContain(
      'No problems: 2 resources, 2 records.\n',
    )
    const server = await createServer({
      root: folder,
      configFile: join(folder, 'vite.config.ts'),
      logLevel: 'silent',
      server: { host: '127.0.0.1', port: 0 },
    })
    onTestFinished(() => server.close())
    await server.listen()
    const url = `${server.resolvedUrls?.local[0]}api/posts`
    const statuses = await Promise.all(
      ['GET', 'POST'].map(async (method) => (await fetch(url, { method })).status),
    )
    expect(statuses).toEqual([200, 401])
  },
)

it('the configuration type-checks', async () => {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--types', 'node']
  const modules = ['--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions']
  const files = ['mock.config.ts', 'vite.config.ts']
  const folder = createProject('module')
  const output = await run(
    folder,
    'node_modules/typescript/bin/tsc',
    ...options,
    ...modules,
    ...files,
  )
  expect(output).toBe('')
})

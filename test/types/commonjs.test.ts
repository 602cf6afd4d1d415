import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type * as Compiler59 from 'typescript59'
import { afterAll, expect, it } from 'vitest'

import { linkFolder } from '../link-folder.ts'

type Compiler = typeof Compiler59
type SourceFile = Compiler59.SourceFile

const require = createRequire(import.meta.url)

const root = join(import.meta.dirname, '../..')
const packages = join(root, 'node_modules')

const code = `
import { createMock, type Mock } from 'fixtura'
import { delay, type Behaviour } from 'fixtura/behaviours'
import { startMock } from 'fixtura/browser'
import { addMockCommand } from 'fixtura/cypress'
import { rest } from 'fixtura/dialects'
import { toHar } from 'fixtura/har'
import { handlers, strict } from 'fixtura/msw'
import { isolate, loadMock, serve } from 'fixtura/node'
import { mockRoute } from 'fixtura/playwright'
import { connect } from 'fixtura/remote'
import { fixtura } from 'fixtura/vite'
import { mockTest } from 'fixtura/vitest'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

const fixtures = { posts: [{ id: 1, title: 'One' }] }
const mock = createMock({ fixtures, dialect: rest, use: [delay(0)] })
const all = handlers(mock)
const server = setupServer(...all, http.get('/other', () => HttpResponse.json({})))
server.use(...handlers(mock, { origin: 'http://localhost' }))
server.listen(strict())
mock.db.posts.insert({ title: 'Two' })
void loadMock('fixtures').then((loaded) => [setupServer(...handlers(loaded)), toHar(loaded)])
void [serve(mock), isolate(mock, ({ db }) => db.posts.count()), toHar(mock).log.entries]
void [addMockCommand, connect, fixtura, mockRoute, mockTest]
export const away: Behaviour = { name: 'away', create: () => ({ divert: () => mock }) }
export const start: (mock: Mock) => Promise<unknown> = (mock) => startMock(mock)
`

const program = `
const { createMock } = require('fixtura')
const { handlers, strict } = require('fixtura/msw')
const { setupServer } = require('msw/node')
const server = setupServer(...handlers(createMock({ fixtures: { posts: [{ id: 1 }] } })))
server.listen(strict())
fetch('http://localhost/posts/1').then(async (response) => {
  console.log(await response.text())
  server.close()
})
`

const folders = new Map<string, string>()
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

/** A package that is CommonJS, with Fixtura and MSW as they are published. */
function packageWith(msw: string): string {
  const found = folders.get(msw)
  if (found !== undefined) return found
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtura-commonjs-')))
  folders.set(msw, folder)
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'main.ts'), code)
  // TypeScript resolves the imports of this file as an ES module.
  writeFileSync(join(folder, 'main.mts'), code)
  writeFileSync(join(folder, 'main.js'), program)
  for (const [link, target] of Object.entries({ msw, '@types': '@types' })) {
    symlinkSync(join(packages, target), join(folder, 'node_modules', link), 'dir')
  }
  // A copy, as a link would find the MSW that is installed beside its target.
  const installed = join(folder, 'node_modules/fixtura')
  linkFolder(join(root, 'dist'), join(installed, 'dist'))
  cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  return folder
}

/** What a program prints in a folder, whatever its exit code. */
async function run(cwd: string, ...args: string[]): Promise<string> {
  return promisify(execFile)(process.execPath, args, { cwd }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  )
}

/** Runs a compiler with these arguments; returns its errors. */
function compile(name: string, folder: string, args: readonly string[]): string | Promise<string> {
  if (name === 'typescript') return run(folder, join(packages, 'typescript/bin/tsc'), ...args)
  const ts = require(name) as Compiler
  const { options, fileNames, errors } = ts.parseCommandLine(args)
  const host = ts.createCompilerHost(options)
  host.getCurrentDirectory = () => folder
  const { getSourceFile } = host
  // Most of the time of a compiler goes into parsing, and most files are the same in every row.
  host.getSourceFile = (path, version, ...rest) => {
    const format = typeof version === 'object' ? version.impliedNodeFormat : undefined
    const key = `${name} ${format} ${path}`
    const file = sourceFiles.get(key) ?? getSourceFile(path, version, ...rest)
    sourceFiles.set(key, file)
    return file
  }
  const paths = fileNames.map((path) => join(folder, path))
  const compiled = ts.createProgram(paths, options, host)
  return ts.formatDiagnostics([...errors, ...ts.getPreEmitDiagnostics(compiled)], host)
}

const sourceFiles = new Map<string, SourceFile | undefined>()

// TypeScript before 5.8 refuses to import MSW 3, an ES module, in a CommonJS package.
it.each([
  ['typescript50', 'nodenext', 'msw'],
  ['typescript59', 'nodenext', 'msw'],
  ['typescript59', 'node20', 'msw'],
  ['typescript59', 'nodenext', 'msw3'],
  ['typescript', 'nodenext', 'msw'],
  ['typescript', 'node20', 'msw'],
  ['typescript', 'nodenext', 'msw3'],
])('compiles in a CommonJS package with %s, %s and %s', async (...row) => {
  const [typescript, module, msw] = row
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022']
  const args = [...options, '--module', module, '--types', 'node', 'main.ts', 'main.mts']
  expect(await compile(typescript, packageWith(msw), args)).toBe('')
})

it('runs in a CommonJS package, with one copy of MSW', async () => {
  expect(await run(packageWith('msw'), 'main.js')).toBe('{"id":1}\n')
})

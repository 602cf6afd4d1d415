import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

import { rolldown } from 'rolldown'
import { createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'

import { createFolder } from '../unit/loader/folder.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The environment of a test runner, which is not a part of this one. */
const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' }
for (const key of Object.keys(env))
  if (/^(?:VITEST|NODE_ENV|FORCE_COLOR)/.test(key)) delete env[key]

/** Runs the built `mock init` in a new project that has the packages of this repository. */
async function setUp(...args: string[]): Promise<string> {
  const cwd = createFolder({ 'package.json': { type: 'module' } })
  mkdirSync(join(cwd, 'node_modules'))
  for (const name of ['msw', 'vite', 'vitest', '@playwright', '@types']) {
    symlinkSync(join(root, 'node_modules', name), join(cwd, 'node_modules', name), 'junction')
  }
  symlinkSync(root, join(cwd, 'node_modules/fixtura'), 'junction')
  await run(process.execPath, [join(root, 'bin/mock.js'), 'init', ...args], { cwd })
  return cwd
}

it('writes a set-up of Vite whose server answers', async () => {
  const cwd = await setUp('--framework=vite', '--tests=none')
  const server = await createServer({ root: cwd, server: { port: 0 }, logLevel: 'silent' })
  onTestFinished(() => server.close())
  await server.listen()
  const response = await fetch(`${server.resolvedUrls?.local[0]}api/profile`)
  expect(await response.json()).toEqual({ name: 'Ada Lovelace', theme: 'dark' })
})

it('writes a route of Next that answers, but not in production', async () => {
  const cwd = await setUp('--framework=next', '--tests=none', '--typescript')
  const path = join(cwd, 'app/api/[...path]/route.ts')
  const answer = async (mode: string): Promise<[number, string]> => {
    const bundle = await rolldown({
      input: path,
      transform: { define: { 'process.env.NODE_ENV': JSON.stringify(mode) } },
    })
    const file = join(cwd, `route-${mode}.mjs`)
    await bundle.write({ file, codeSplitting: false })
    const { GET } = (await import(pathToFileURL(file).href)) as {
      GET(request: Request): Promise<Response>
    }
    const response = await GET(new Request('http://localhost/api/posts/3?_fields=title'))
    return [response.status, await response.text()]
  }
  expect(await answer('development')).toEqual([200, '{"title":"A draft"}'])
  expect(await answer('production')).toEqual([404, ''])
})

it('writes tests of Vitest that pass', async () => {
  const cwd = await setUp('--framework=none', '--tests=vitest', '--typescript')
  const { stdout } = await run(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', cwd],
    { cwd, env },
  )
  expect(stdout).toContain('2 passed')
})

// Jest is not among the packages; its functions have the same names in Vitest.
it('writes tests of Jest that pass with functions of their names', async () => {
  const cwd = await setUp('--framework=none', '--tests=jest')
  const { stdout } = await run(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--globals', '--root', cwd],
    { cwd, env },
  )
  expect(stdout).toContain('2 passed')
})

it('writes tests of Playwright that pass', async () => {
  const cwd = await setUp('--framework=none', '--tests=playwright', '--typescript')
  const config = join(cwd, 'playwright.config.ts')
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const launchOptions = JSON.stringify({ executablePath, args: ['--no-sandbox'] })
  const text = readFileSync(config, 'utf8')
  writeFileSync(
    config,
    text.replace('fullyParallel', `use: { launchOptions: ${launchOptions} },\n  fullyParallel`),
  )
  const { stdout } = await run(
    process.execPath,
    [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=line'],
    { cwd, env },
  )
  expect(stdout).toContain('1 passed')
})

it('writes TypeScript that compiles', async () => {
  const cwd = await setUp('--framework=vite', '--tests=vitest,playwright', '--typescript')
  const target = '--target es2022 --lib es2022,dom --module esnext --moduleResolution bundler'
  const options = `--noEmit --strict --skipLibCheck --types node ${target}`.split(' ')
  const names = ['vite.config.ts', 'playwright.config.ts', 'mocks/mock.test.ts', 'e2e/mock.spec.ts']
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, ...options, ...names], { cwd }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { startProgram } from '../cli/program.ts'
import { createFolder, type Files } from '../unit/loader/folder.ts'
import { bundleWorker, startWorkerd, type Workerd } from '../workerd.ts'

const root = join(import.meta.dirname, '../..')

/** The project of a user: a configuration in TypeScript, and a schema and a scenario beside the fixtures. */
const project = {
  'package.json': { name: 'shop', type: 'module' },
  'mock.config.ts': `
    import { defineConfig } from 'fixtura'
    import { idempotency, states } from 'fixtura/behaviours'
    export default () => defineConfig({
      base: '/api',
      port: 3001,
      dialect: 'json-server-1',
      use: [idempotency(), states({ posts: { transitions: { draft: ['published'], published: [] } } })],
    })`,
  'fixtures/posts.json': [{ id: '1', title: 'First', status: 'draft' }],
  'fixtures/posts.schema.json': { required: ['title'] },
  'fixtures/_scenarios/empty/posts.json': [],
}

it('runs the worker that "mock init --worker" writes', async () => {
  const cwd = createProject(project)
  const { ended, err } = startProgram(['init', '--worker'], cwd)
  expect([await ended, err()]).toEqual([{ code: 0, signal: null }, ''])
  const workerd = await startEntry(cwd)
  const post = await send(workerd, 'POST', { title: 'Second', status: 'draft' })
  const { id } = post.body as { id: string }
  expect(post).toMatchObject({ status: 201, body: { title: 'Second' } })
  expect(await send(workerd, 'POST', { status: 'draft' })).toMatchObject({ status: 422 })
  await workerd.restart()
  expect(await send(workerd, 'GET')).toMatchObject({ status: 200, body: [{ id: '1' }, { id }] })
  const empty = { 'X-Mock-Scenario': 'empty' }
  expect(await send(workerd, 'GET', undefined, empty)).toMatchObject({ status: 200, body: [] })
})

it('runs the worker of the documentation', async () => {
  const text = readFileSync(join(root, 'docs/reference/worker.md'), 'utf8')
  const [, code = ''] = /```js\n(\/\/ mock-worker\.js[^]*?)```/.exec(text) ?? []
  const cwd = createProject({
    'mock-worker.js': code,
    'fixtures/posts.json': [{ id: '1' }],
    'fixtures/users.json': [{ id: 1, email: 'ada@example.com', password: 'secret' }],
  })
  const workerd = await startEntry(cwd)
  expect(await send(workerd, 'GET')).toMatchObject({ status: 401 })
  const login = await fetch(`${workerd.url}/api/login`, {
    method: 'POST',
    body: JSON.stringify({ email: 'ada@example.com', password: 'secret' }),
    headers: { 'Content-Type': 'application/json' },
  })
  const { access_token: access } = (await login.json()) as { access_token: string }
  const headers = { Authorization: `Bearer ${access}` }
  expect(await send(workerd, 'GET', undefined, headers)).toMatchObject({ body: [{ id: '1' }] })
})

/** Makes a project that has the built package. */
function createProject(files: Files): string {
  const cwd = createFolder(files)
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/fixtura'), 'junction')
  return cwd
}

async function startEntry(cwd: string): Promise<Workerd> {
  const entry = JSON.stringify(join(cwd, 'mock-worker.js'))
  const source = `export * from ${entry}; export { default } from ${entry}`
  const workerd = await startWorkerd(await bundleWorker(source, [], true))
  onTestFinished(() => workerd.close())
  return workerd
}

async function send(
  { url }: Workerd,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/api/posts`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

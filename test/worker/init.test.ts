import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { main } from '../../src/cli/main.ts'
import { createFakeIo } from '../unit/cli/fake-io.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { bundleWorker, startWorkerd, type Workerd } from '../workerd.ts'

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
  const cwd = createFolder(project)
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(join(import.meta.dirname, '../..'), join(cwd, 'node_modules/fixtura'), 'junction')
  const io = createFakeIo({ cwd })
  expect([await main(['init', '--worker'], io), io.err()]).toEqual([0, ''])
  const entry = JSON.stringify(join(cwd, 'mock-worker.js'))
  const workerd = await startWorkerd(
    await bundleWorker(`export * from ${entry}; export { default } from ${entry}`, [], true),
  )
  onTestFinished(() => workerd.close())
  const post = await send(workerd, 'POST', { title: 'Second', status: 'draft' })
  const { id } = post.body as { id: string }
  expect(post).toMatchObject({ status: 201, body: { title: 'Second' } })
  expect(await send(workerd, 'POST', { status: 'draft' })).toMatchObject({ status: 422 })
  await workerd.restart()
  expect(await send(workerd, 'GET')).toMatchObject({ status: 200, body: [{ id: '1' }, { id }] })
  const empty = { 'X-Mock-Scenario': 'empty' }
  expect(await send(workerd, 'GET', undefined, empty)).toMatchObject({ status: 200, body: [] })
}, 60_000)

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

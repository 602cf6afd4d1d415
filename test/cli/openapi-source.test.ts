import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'
import { stringify } from 'yaml'

import { shop } from '../unit/core/source/shop-document.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { program, startServer } from './program.ts'

/** The shop, with the schemas of customers in another file. */
function createShop(files: Record<string, unknown> = {}): string {
  const document = structuredClone(shop) as { components: { schemas: Record<string, unknown> } }
  const { Customer } = document.components.schemas
  document.components.schemas['Customer'] = { $ref: 'schemas/customer.yaml#/Customer' }
  const folder = createFolder({
    'schemas/customer.yaml': stringify({ Customer }),
    'openapi.yaml': stringify(document),
    ...files,
  })
  return folder
}

function run(
  folder: string,
  ...args: string[]
): { out: string; err: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  return { out: stdout, err: stderr, status }
}

it('serves a document and its other files, and takes over an edit of either', async () => {
  const folder = createShop()
  const server = await startServer(['openapi.yaml', '--port', '0', '--count', '3'], folder)
  await server.printed(/11 operations: 10 with state, 1 by example/)
  expect(server.out()).toMatch(/\/customers +3 records\n.*\/orders +3 records\n/)
  const ask = async (path: string, init?: RequestInit): Promise<unknown> =>
    (await fetch(server.url + path, init)).json()
  expect(await ask('/customers')).toMatchObject({ object: 'list', total: 3 })
  const body = JSON.stringify({ name: 'Ada', email: 'ada@example.org' })
  const headers = { 'content-type': 'application/json' }
  const created = (await ask('/customers', { method: 'POST', body, headers })) as { id: string }
  const other = join(folder, 'schemas/customer.yaml')
  writeFileSync(
    other,
    readFileSync(other, 'utf8').replace('nickname:', 'alias: { type: string }\n    nickname:'),
  )
  await server.printed(/Reloaded/)
  expect(await ask(`/customers/${created.id}`)).toMatchObject({ name: 'Ada' })
  expect(await ask('/customers?limit=1')).toHaveProperty('data.0.alias')
})

it('prefers the fixtures beside the document', async () => {
  const order = { id: 9, customerId: 'cus_1', total: 4 }
  const folder = createShop({ 'data/orders.json': [order] })
  const server = await startServer(['openapi.yaml', 'data', '--port', '0'], folder)
  expect(await (await fetch(`${server.url}/orders/9`)).json()).toEqual(order)
  const listed = await (await fetch(`${server.url}/__mock/operations`)).json()
  expect(listed).toMatchObject({
    problems: [],
    operations: expect.arrayContaining([
      expect.objectContaining({ path: '/customers', action: 'list', collection: 'customers' }),
    ]),
  })
})

it('checks the credentials that the document asks for, if the configuration says so', async () => {
  const secured = {
    openapi: '3.1.0',
    security: [{ key: [] }],
    paths: { '/pets': { get: { responses: { 401: {}, 200: {} } } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  }
  const folder = createFolder({
    'api.json': secured,
    'mock.config.json': { openapi: 'api.json', auth: true },
  })
  const server = await startServer(['--port', '0'], folder)
  expect((await fetch(`${server.url}/pets`)).status).toBe(401)
  expect((await fetch(`${server.url}/pets`, { headers: { 'x-key': '1' } })).status).toBe(200)
})

it('lists what each operation was taken for', () => {
  const { out, status } = run(createShop(), 'openapi.yaml', '--list')
  expect(status).toBe(0)
  expect(out).toMatch(/^GET +\/customers +customers\.list \(in data\)$/m)
  expect(out).toMatch(/^POST +\/search +example$/m)
  expect(out).toContain('11 operations: 10 with state, 1 by example, 0 not served.')
})

it('names a file that is no document, and a list without a document', () => {
  const folder = createFolder({ 'openapi.yaml': 'posts: []', 'db.json': { posts: [] } })
  expect(run(folder, 'openapi.yaml').err).toContain('it has no "openapi: 3.x"')
  expect(run(folder, 'missing.yaml').err).toContain('there is no such file')
  expect(run(folder, 'db.json', '--list').err).toContain('there is no OpenAPI document')
})

it('writes fixtures and a configuration of a document', () => {
  const folder = createShop()
  const { out } = run(folder, 'init', '--openapi', 'openapi.yaml', '--json')
  expect(out).toContain('mock.config.json')
  expect(readdirSync(join(folder, 'fixtures')).toSorted()).toEqual([
    'customers.json',
    'orders.json',
    'settings.json',
  ])
  const config = JSON.parse(readFileSync(join(folder, 'mock.config.json'), 'utf8')) as unknown
  expect(config).toMatchObject({ openapi: 'openapi.yaml', fixtures: 'fixtures/' })
  expect(run(folder, '--list').out).toContain('customers.list')
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { serve } from '../../src/faces/node/serve.ts'
import { createMock } from '../../src/index.ts'
import { databases } from './databases.ts'
import { documentOf, operationsOf } from './document.ts'
import { createProject, runTool } from './tools.ts'

/** The collections that clients use, and what a client changes in a record. */
const flows: [database: string, collection: string, patch: Record<string, unknown>][] = [
  ['fixtures', 'posts', { title: 'A new title' }],
  ['library', 'books', { title: 'Kindred', pages: 264 }],
  ['fleet', 'vehicles', { plate: 'B-FX 999', position: null }],
  ['awkward', '用户', { 名字: '张伟', 年龄: 20 }],
]

const { folder, remove } = createProject()
const closes: (() => Promise<void>)[] = []
const urls = new Map<string, string>()
/** What the tools print, each of which generates all clients in one process. */
let generated: Promise<string[]> = Promise.resolve([])

/** The input of a POST: the first record without its id. */
function inputOf(database: string, collection: string): Record<string, unknown> {
  const records = databases[database]?.[collection] as Record<string, unknown>[]
  const { id: _id, ...input } = records[0] ?? {}
  return input
}

/** A program that creates, reads, changes, replaces and removes a record with `openapi-fetch`. */
function fetchProgram(database: string, collection: string, patch: object, input: object): string {
  return `import createClient from 'openapi-fetch'
import type { components, paths } from './${database}.ts'

type Body = NonNullable<paths['/${collection}']['post']['requestBody']>['content']['application/json']
const input: Exclude<Body, unknown[]> = ${JSON.stringify(input)}
export type Problem = components['schemas']['Problem']

export async function run(baseUrl: string): Promise<unknown[]> {
  const client = createClient<paths>({ baseUrl })
  const { data, response } = await client.POST('/${collection}', { body: input })
  if (!data || Array.isArray(data)) throw new Error('no record')
  const params = { path: { id: data.id } }
  const read = await client.GET('/${collection}/{id}', { params })
  const list = await client.GET('/${collection}')
  const changed = await client.PATCH('/${collection}/{id}', { params, body: ${JSON.stringify(patch)} })
  const replaced = await client.PUT('/${collection}/{id}', { params, body: input })
  const removed = await client.DELETE('/${collection}/{id}', { params })
  const missing = await client.GET('/${collection}/{id}', { params })
  const problem: Problem | undefined = missing.error
  const count: number = Array.isArray(list.data) ? list.data.length : 0
  return [response.status, data, read.data, count, changed.data, replaced.data, removed.response.status, problem?.status]
}
`
}

/** The same program with the functions of `orval`, which are named after the operations. */
function orvalProgram(
  database: string,
  patch: object,
  input: object,
  name: (path: 'list' | 'member', method: string) => string,
): string {
  return `import * as api from './${database}-orval.ts'

const input: Exclude<Parameters<typeof api.${name('list', 'post')}>[0], unknown[]> = ${JSON.stringify(input)}

// Of the three media types of a PATCH, orval names none in the request.
const json = { headers: { 'Content-Type': 'application/json' } }

export async function run(): Promise<unknown[]> {
  const created = await api.${name('list', 'post')}(input)
  if (created.status !== 201 || Array.isArray(created.data)) throw new Error('no record')
  const id = created.data.id
  const read = await api.${name('member', 'get')}(id)
  const list = await api.${name('list', 'get')}()
  const changed = await api.${name('member', 'patch')}(id, ${JSON.stringify(patch)}, json)
  const replaced = await api.${name('member', 'put')}(id, input)
  const removed = await api.${name('member', 'delete')}(id)
  const missing = await api.${name('member', 'get')}(id)
  const count: number = Array.isArray(list.data) ? list.data.length : 0
  return [created.status, created.data, read.data, count, changed.data, replaced.data, removed.status, missing.status]
}
`
}

/** The compiler options of a strict application. */
const config = {
  compilerOptions: {
    strict: true,
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    rewriteRelativeImportExtensions: true,
    outDir: 'out',
    types: [],
  },
  include: ['*.ts'],
}

beforeAll(async () => {
  const apis: Record<string, object> = {}
  const projects: Record<string, object> = {}
  for (const [database, collection, patch] of flows) {
    const mock = createMock({ fixtures: databases[database] as never })
    const { url, close } = await serve(mock, { port: 0 })
    closes.push(close)
    urls.set(database, url)
    const document = documentOf(mock)
    writeFileSync(join(folder, `${database}.json`), JSON.stringify(document))
    const name = (kind: 'list' | 'member', method: string): string => {
      const path = `/${encodeURI(collection)}${kind === 'list' ? '' : '/{id}'}`
      const found = operationsOf(document).find((one) => one.path === path && one.method === method)
      return found?.operation.operationId ?? ''
    }
    const input = inputOf(database, collection)
    writeFileSync(
      join(folder, `${database}-fetch-run.ts`),
      fetchProgram(database, encodeURI(collection), patch, inputOf(database, collection)),
    )
    writeFileSync(
      join(folder, `${database}-orval-run.ts`),
      orvalProgram(database, patch, input, name),
    )
    apis[database] = {
      root: `${database}.json`,
      'x-openapi-ts': { output: `${database}.ts` },
    }
    projects[database] = {
      input: `./${database}.json`,
      output: { target: `./${database}-orval.ts`, client: 'fetch', baseUrl: url },
    }
  }
  writeFileSync(join(folder, 'redocly.yaml'), JSON.stringify({ extends: [], apis }))
  writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(projects)}`)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  generated = Promise.all([
    runTool('openapi-typescript/bin/cli.js', [], folder),
    runTool('orval/dist/bin/orval.mjs', ['--config', 'orval.config.mjs'], folder),
  ])
})

afterAll(async () => {
  await Promise.all(closes.map((close) => close()))
  remove()
})

describe('clients that are generated from the document', () => {
  it.each(flows)('of %s are generated', async (database) => {
    const [types, clients] = await generated
    expect(types).toContain(`${database} → ${database}.ts`)
    const done = 'Your OpenAPI spec has been converted into ready to use orval'
    expect(clients).toMatch(new RegExp(`^${database} - .*${done}`, 'm'))
  })

  it('compile under strict', async () => {
    expect(
      await runTool('typescript/bin/tsc', ['--project', '.', '--pretty', 'false'], folder),
    ).toBe('')
  })

  describe.each(flows)('of %s', (database, collection, patch) => {
    it.each(['fetch', 'orval'])('create, read, change and remove with %s', async (kind) => {
      const path = pathToFileURL(join(folder, 'out', `${database}-${kind}-run.js`)).href
      const { run } = (await import(/* @vite-ignore */ path)) as {
        run: (url: string) => Promise<unknown[]>
      }
      const input = inputOf(database, collection)
      const length = (databases[database]?.[collection] as unknown[] | undefined)?.length ?? 0
      const record = { ...input, id: expect.anything() as unknown }
      expect(await run(urls.get(database) ?? '')).toEqual([
        201,
        record,
        record,
        length + 1,
        { ...record, ...patch },
        record,
        200,
        404,
      ])
    })
  })
})

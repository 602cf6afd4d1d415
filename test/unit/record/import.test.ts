import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { main } from '../../../src/cli/main.ts'
import type { Json, JsonRecord } from '../../../src/core/json/json.ts'
import { substitute } from '../../../src/core/learn/privacy/substitute.ts'
import { loadMock } from '../../../src/node.ts'
import { createFakeIo } from '../cli/fake-io.ts'
import { createFolder } from '../loader/folder.ts'
import { createDjangoBackend, createLaravelBackend, credentials, privateTexts } from './backends.ts'
import { type Exchanged, run, toHar } from './har-of.ts'

const backends = [
  ['Laravel', createLaravelBackend, 'filter[title]'],
  ['Django REST framework', createDjangoBackend, 'title'],
] as const

/** Imports an archive in a folder; returns what was printed. */
async function importHar(folder: string, har: Json, ...args: string[]): Promise<string> {
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify(har))
  const io = createFakeIo({ cwd: folder })
  const code = await main(['import', 'traffic.har', ...args], io)
  expect(io.err()).toBe('')
  expect(code).toBe(0)
  return io.out()
}

/** Every written file with its text, without the archive. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /\.jsonc?$/.test(name)).toSorted()
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

/** The last response to each URL that was read. */
function lastReads(exchanges: readonly Exchanged[]): Exchanged[] {
  const reads = exchanges.filter(({ method }) => method === 'GET')
  return [...new Map(reads.map((one) => [one.url, one])).values()]
}

/** JSON with the substitutes that an import writes for the names and addresses of persons. */
function withSubstitutes(json: Json | undefined): unknown {
  const text = privateTexts.slice(0, 4).reduce((replaced, name) => {
    return replaced.replaceAll(`"${name}"`, JSON.stringify(substitute(name)))
  }, JSON.stringify(json))
  return JSON.parse(
    text.replaceAll(/"[\w.]+@\w+\.dev"/g, (email) =>
      JSON.stringify(substitute(email.slice(1, -1))),
    ),
  )
}

describe.each(backends)('an import of traffic in the style of %s', (_style, create, filter) => {
  it('answers every recorded read with the same status and JSON', async () => {
    const folder = createFolder({})
    const exchanges = run(create())
    const out = await importHar(folder, toHar(exchanges))
    const reads = lastReads(exchanges)
    expect(out).toContain(
      `The mock answers ${reads.length} of ${reads.length} recorded reads alike`,
    )

    const mock = await loadMock({ ...(await readConfig(folder)), cwd: folder })
    for (const { url, reply } of reads) {
      const response = await mock.fetch(url)
      expect([url, response.status, await response.json()]).toEqual([
        url,
        reply.status,
        withSubstitutes(reply.json),
      ])
    }
  })

  it('learns the records and the writes', async () => {
    const folder = createFolder({})
    await importHar(folder, toHar(run(create())))
    const files = filesIn(folder)
    const articles = JSON.parse(files['fixtures/articles.json'] ?? '') as JsonRecord[]
    expect(articles.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 100])
    expect(articles[1]).toEqual({
      id: 2,
      title: 'Title 2',
      author_id: 2,
      is_published: true,
      body: 'The whole text of article 2.',
    })
    expect(articles[2]).toMatchObject({ id: 3, title: 'Changed' })
    expect(articles.at(-1)).toEqual({ id: 100, title: 'New', author_id: 2, is_published: true })
    expect(Object.keys(files).filter((name) => name.startsWith('fixtures/a'))).toEqual([
      'fixtures/articles.json',
      'fixtures/authors.json',
    ])
  })

  it('works for requests that were not recorded', async () => {
    const folder = createFolder({})
    await importHar(folder, toHar(run(create())))
    const mock = await loadMock({ ...(await readConfig(folder)), cwd: folder })
    const { origin } = create()
    const created = await mock.fetch(`${origin}/api/articles`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"title":"Mine"}',
    })
    expect(created.status).toBe(201)
    const list = await (await mock.fetch(`${origin}/api/articles?${filter}=Mine`)).text()
    expect(list).toContain('"Mine"')
    const changed = await mock.fetch(`${origin}/api/articles/2`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: '{"title":"Yours"}',
    })
    expect(changed.status).toBe(200)
    expect(await (await mock.fetch(`${origin}/api/articles/2`)).text()).toContain('"Yours"')
  })

  it('writes no credential and no personal data', async () => {
    const folder = createFolder({})
    const out = await importHar(folder, toHar(run(create())))
    const files = Object.entries({ ...filesIn(folder), 'standard output': out })
    for (const text of [...credentials, ...privateTexts]) {
      expect(files.filter(([, content]) => content.includes(text)).map(([name]) => name)).toEqual(
        [],
      )
    }
  })

  it('answers a login whatever its password is', async () => {
    const folder = createFolder({})
    await importHar(folder, toHar(run(create())))
    const mock = await loadMock({ ...(await readConfig(folder)), cwd: folder })
    const response = await mock.fetch(`${create().origin}/api/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"password":"another","email":"ottilie@quartermaine.dev"}',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ user: { id: 1 } })
  })

  it('writes the same bytes again', async () => {
    const folder = createFolder({})
    const har = toHar(run(create()))
    await importHar(folder, har)
    const before = filesIn(folder)
    expect(await importHar(folder, toHar(run(create()), 'base64'))).toContain(
      'Nothing has changed.',
    )
    expect(filesIn(folder)).toEqual(before)
  })

  it('keeps edits by hand', async () => {
    const folder = createFolder({})
    const har = toHar(run(create()))
    await importHar(folder, har)
    const path = join(folder, 'fixtures/articles.json')
    const articles = JSON.parse(readFileSync(path, 'utf8')) as JsonRecord[]
    const edited = articles
      .filter(({ id }) => id !== 4)
      .map((article) => (article['id'] === 1 ? { ...article, title: 'By hand' } : article))
    writeFileSync(path, JSON.stringify(edited))
    const config = join(folder, 'mock.config.jsonc')
    const text = readFileSync(config, 'utf8').replace('"base": "/api"', '"base": "/v1"')
    writeFileSync(config, text.replace('{\n', '{\n  "seed": 1, // mine\n'))
    await importHar(folder, har)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(edited)
    expect(readFileSync(config, 'utf8')).toContain('"seed": 1, // mine')
    expect(readFileSync(config, 'utf8')).toContain('"base": "/v1"')
  })

  it('learns removed files again', async () => {
    const folder = createFolder({})
    const har = toHar(run(create()))
    await importHar(folder, har)
    const before = filesIn(folder)
    rmSync(join(folder, 'fixtures/articles.json'))
    await importHar(folder, har)
    expect(filesIn(folder)['fixtures/articles.json']).toBe(before['fixtures/articles.json'])
  })
})

describe('an import of some pages in an envelope of its own', () => {
  const posts = Array.from({ length: 25 }, (_, at) => ({ id: at + 1, title: `Post ${at + 1}` }))
  const origin = 'https://api.shop.test'
  const backend = {
    origin,
    answer(_method: string, path: string) {
      const { pathname, searchParams } = new URL(path, origin)
      const id = /^\/api\/posts\/(\d+)$/.exec(pathname)?.[1]
      if (id !== undefined) return { status: 200, json: { ...posts[Number(id) - 1], body: 'Text' } }
      const page = Number(searchParams.get('page'))
      const size = Number(searchParams.get('per_page'))
      const items = posts.slice((page - 1) * size, page * size)
      return { status: 200, json: { items, total: posts.length, page } }
    },
  }

  it('answers other pages in the envelope, by the same parameters', async () => {
    const folder = createFolder({})
    const steps = [
      ['GET', '/api/posts?page=1&per_page=10'],
      ['GET', '/api/posts?page=2&per_page=10'],
      ['GET', '/api/posts/3'],
    ] as const
    await importHar(folder, toHar(run(backend, steps)))
    const mock = await loadMock({ ...(await readConfig(folder)), cwd: folder })
    const response = await mock.fetch(`${origin}/api/posts?page=4&per_page=5`)
    expect(await response.json()).toMatchObject({
      items: posts.slice(15, 20),
      total: 20,
      page: 4,
    })
  })
})

async function readConfig(folder: string): Promise<object> {
  const { readConfigFile } = await import('../../../src/load/config/config-file.ts')
  return { ...(await readConfigFile('mock.config.jsonc', folder)), fixtures: 'fixtures' }
}

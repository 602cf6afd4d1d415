// `node supabase.js TASK` measures the dialect `supabase` and @supabase/lite, over SQLite and over PGlite, in this
// process, by turns, with 10,000 posts of 100 authors. The answers are compared first.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { createComparison } from '../lib/sides.js'

const { lite, rounds, seconds } = JSON.parse(process.argv[2])
const count = 10_000
const authors = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, name: `Author ${at + 1}` }))
const posts = Array.from({ length: count }, (_, at) => ({
  id: at + 1,
  title: `Post ${at + 1}`,
  views: (at * 7919) % count,
  author_id: (at % 100) + 1,
}))

/** The requests of the rows, by the number of the request. */
const rows = {
  record: (at) => [`/rest/v1/posts?id=eq.${((at * 31) % count) + 1}`],
  page: (at) => [
    `/rest/v1/posts?select=id,title,authors(name)&views=gt.${(at * 37) % count}&order=id.desc&limit=20`,
  ],
  insert: (at) => [
    '/rest/v1/posts',
    { id: count + at + 1, title: 'New', views: 1, author_id: (at % 100) + 1 },
  ],
}

const starts = {
  fixtura: startFixtura,
  ...(lite && {
    'supabase-lite': () => startLite('db/node/index.js', 'createConnection'),
    'supabase-lite-pglite': () =>
      startLite('db/postgres/pglite/PgliteConnection.js', 'createPgliteConnection'),
  }),
}
const times = {}
const sides = []
for (const [name, start] of Object.entries(starts)) {
  const started = performance.now()
  const send = await start()
  await send('/rest/v1/posts?id=eq.1')
  times[name] = performance.now() - started
  sides.push({ name, send })
}
const [ours, ...others] = Object.entries(times)
const ratios = Object.fromEntries(others.map(([name, time]) => [name, time / ours[1]]))
const measured = { start: { unit: 'ms', rates: times, ratios } }
const measure = createComparison(sides, { rounds, seconds })
for (const [name, toRequest] of Object.entries(rows)) measured[name] = await measure(toRequest)
console.log(`\n${JSON.stringify(measured)}`)
process.exit(0)

function toSend(fetch) {
  return async (path, body) => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'return=representation' },
      body: JSON.stringify(body),
    }
    const response = await fetch(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return { status: response.status, value: text === '' ? undefined : JSON.parse(text) }
  }
}

async function startFixtura() {
  const { createMock } = await import('../../dist/index.js')
  const { supabase } = await import('../../dist/dialects.js')
  return toSend(createMock({ fixtures: { posts, authors }, dialect: supabase }).fetch)
}

async function startLite(database, create) {
  const load = (file) => import(pathToFileURL(join(lite, 'dist', file)).href)
  const { App } = await load('index.js')
  const app = new App({ connection: await (await load(database))[create]({}) })
  const schema = `CREATE TABLE authors (id int PRIMARY KEY, name text);
    CREATE TABLE posts (id int PRIMARY KEY, title text, views int, author_id int REFERENCES authors (id));`
  await app.connection.createMigrator(schema).migrate()
  for (const [table, rows] of Object.entries({ authors, posts })) {
    const values = rows.map((row) => `(${Object.values(row).map(toLiteral).join(', ')})`)
    await app.connection.exec(`INSERT INTO ${table} VALUES ${values.join(', ')}`)
  }
  return toSend((request) => app.fetch(request))
}

function toLiteral(value) {
  return typeof value === 'string' ? `'${value}'` : value
}

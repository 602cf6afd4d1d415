// The dialect `supabase` beside @supabase/lite, in process, by turns: how many requests a second, and the time to
// start. `npm install --no-save @supabase/lite` (147 MB) adds the peer; without it only Fixtura is measured.

import { createMock } from '../dist/index.js'
import { supabase } from '../dist/dialects.js'

const count = 10_000
const authors = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, name: `Author ${at + 1}` }))
const posts = Array.from({ length: count }, (_, at) => ({
  id: at + 1,
  title: `Post ${at + 1}`,
  views: (at * 7919) % count,
  author_id: (at % 100) + 1,
}))

/** The requests of a row, by the number of the request. */
const rows = {
  'one record': (at) => [`/rest/v1/posts?id=eq.${((at * 31) % count) + 1}`],
  'a filtered page with an embed': (at) => [
    `/rest/v1/posts?select=id,title,authors(name)&views=gt.${(at * 37) % count}&order=id.desc&limit=20`,
  ],
  'an insert': (at) => [
    '/rest/v1/posts',
    { id: count + at + 1, title: 'New', views: 1, author_id: 1 },
  ],
}

const sides = { Fixtura: startFixtura }
// A name in a variable, as the package is installed for this alone.
const peer = '@supabase/lite'
const lite = await import(peer).catch(() => undefined)
if (lite) {
  const { createPgliteConnection } = await import(`${peer}/pglite`)
  sides[peer] = () => startLite(lite.App, createPgliteConnection)
}

const running = {}
for (const [name, start] of Object.entries(sides)) {
  const started = performance.now()
  const send = await start()
  await send('/rest/v1/posts?id=eq.1')
  running[name] = send
  console.log(`start: ${name} ${(performance.now() - started).toFixed(0)} ms`)
}
for (const [row, toRequest] of Object.entries(rows)) {
  const rates = Object.fromEntries(Object.keys(running).map((name) => [name, []]))
  let next = 0
  for (let round = 0; round < 7; round++) {
    for (const [name, send] of Object.entries(running))
      rates[name].push(await measure(send, toRequest, next))
    next += 100_000
  }
  const medians = Object.entries(rates).map(([name, all]) => [name, all.sort((a, b) => a - b)[3]])
  const [[, ours], other] = medians
  const ratio = other ? `, ${(ours / other[1]).toFixed(1)} times as many` : ''
  console.log(
    `${row}: ${medians.map(([name, rate]) => `${name} ${rate.toFixed(0)}/s`).join(', ')}${ratio}`,
  )
}
process.exit(0)

/** Requests a second in 300 ms. */
async function measure(send, toRequest, from) {
  const started = performance.now()
  let at = 0
  for (; performance.now() - started < 300; at++) await send(...toRequest(from + at))
  return (at / (performance.now() - started)) * 1000
}

function toSend(fetch) {
  return async (path, body) => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const response = await fetch(new Request(`http://localhost${path}`, init))
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return text
  }
}

async function startFixtura() {
  return toSend(createMock({ fixtures: { posts, authors }, dialect: supabase }).fetch)
}

async function startLite(App, createConnection) {
  const connection = await createConnection({})
  const app = new App({ connection })
  const schema = `CREATE TABLE authors (id int PRIMARY KEY, name text);
    CREATE TABLE posts (id int PRIMARY KEY, title text, views int, author_id int REFERENCES authors (id));`
  await app.connection.createMigrator(schema).migrate()
  const send = toSend((request) => app.fetch(request))
  await send('/rest/v1/authors', authors)
  for (let at = 0; at < count; at += 1000) await send('/rest/v1/posts', posts.slice(at, at + 1000))
  return send
}

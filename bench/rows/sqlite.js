// Rows beside SQLite in memory with the right indexes, behind a bare `node:http` server, on the same version of
// Node: questions that a front end asks of 100,000 posts, 20,000 comments and 1,000 users, none of them twice.

import { isDeepStrictEqual } from 'node:util'

import { createTraffic } from '../lib/cold.js'
import {
  categories,
  createRandom,
  createRecord,
  createVocabulary,
  mostViews,
  statuses,
} from '../lib/data.js'
import { findBetterSqlite3, findNode24 } from '../lib/node-24.js'
import { startProgram } from '../lib/programs.js'
import { ask } from '../lib/send.js'
import { median } from '../lib/statistics.js'
import { measureLatency, measureThroughput } from '../lib/throughput.js'
import { slices } from '../lib/traffic.js'

const vocabulary = createVocabulary()
const orders = ['-createdAt', 'views', '-price', 'title']
const toSql = (order) => (order.startsWith('-') ? `${order.slice(1)} DESC` : order)

/** The name, the title and the traffic of each row, and the indexes that SQLite needs for it. */
const rows = [
  {
    name: 'sqlite-value',
    title: 'page by one of 1,000 values, sorted',
    draw: drawValue,
    indexes: orders.map((order) => `authorId, ${toSql(order)}`),
  },
  {
    name: 'sqlite-range',
    title: 'page of a range, sorted by another field',
    draw: drawRange,
    indexes: ['views', 'createdAt DESC, id, views', 'price, id, views'],
  },
  {
    name: 'sqlite-filters',
    title: 'page by two filters, sorted',
    draw: (random) => ({
      where: { category: random.pick(categories), status: random.pick(statuses) },
      ...drawPage(random, orders, 20),
    }),
    indexes: orders.map((order) => `category, status, ${toSql(order)}`),
  },
  {
    name: 'sqlite-where',
    title: 'page of `_where` with `and`, `or` and `not`',
    draw: (random) => ({ tree: drawTree(random), ...drawPage(random, ['-createdAt'], 5) }),
    indexes: [
      'category, status, views, createdAt DESC',
      'createdAt DESC, id, category, status, views',
    ],
  },
  {
    name: 'sqlite-embed',
    title: 'page by one of 1,000 values, each post with its comments',
    draw: (random) => ({ ...drawValue(random), embed: 'comments' }),
    indexes: orders.map((order) => `authorId, ${toSql(order)}`),
  },
  {
    name: 'sqlite-cursor',
    title: 'page after a cursor anywhere',
    prepare: prepareCursors,
    indexes: ['featured, createdAt DESC', 'featured, views'],
  },
  {
    name: 'sqlite-value-insert',
    title: 'page by one of 1,000 values, one insert in eleven',
    draw: drawValue,
    insertsEvery: 11,
    indexes: orders.map((order) => `authorId, ${toSql(order)}`),
  },
  {
    name: 'sqlite-range-insert',
    title: 'page of a range, one insert in eleven',
    draw: drawRange,
    insertsEvery: 11,
    indexes: ['views', 'createdAt DESC, id, views', 'price, id, views'],
  },
  { name: 'sqlite-insert', title: 'insert of a record', insertsEvery: 1, indexes: [] },
  {
    name: 'sqlite-member',
    title: 'one record',
    toRequest: (random, count) => ({ kind: 'get', id: random.integer(1, count) }),
    indexes: [],
  },
  {
    name: 'sqlite-words',
    title: 'page of the records with a word, `q=`',
    draw: (random) => ({ search: random.pick(vocabulary), ...drawPage(random, [undefined], 3) }),
    indexes: [],
    texts: ['words'],
  },
  {
    name: 'sqlite-contains',
    title: 'page of the records whose title contains a text',
    draw: (random) => ({
      where: { title: { contains: drawFragment(random) } },
      ...drawPage(random, [undefined], 2),
    }),
    indexes: [],
    texts: ['fragments'],
  },
]

const count = 100_000
const related = { comments: 20_000 }
/** The questions of a round: more than a side answers in it, so that none is asked twice. */
const length = 8_000
/** The number of equal answers before the measurement. */
const checked = 100
/** The number of times that the percentiles of each side are measured. */
const latencyRounds = 3

/** The rows of the table. */
export const sqliteRows = rows.map((row) => ({
  name: row.name,
  title: `${row.title}, 100,000 records`,
  goal: { against: 'sqlite', atLeast: 1 },
  run: (bench) => measure(row, bench),
}))

async function measure(row, bench) {
  const started = []
  const node = await findNode24()
  const file = bench.catalogue(count, related, vocabulary)
  const start = async (name, settings) => {
    const side = await startProgram(name, file, { ...bench, node, ...settings })
    started.push(side)
    return side
  }
  const extra = [
    '--indexes',
    JSON.stringify(row.indexes),
    '--texts',
    JSON.stringify(row.texts ?? []),
  ]
  try {
    const ours = await start('fixtura', { flags: bench.profileFlags })
    const others = [await start('sqlite', { extra })]
    if (row.draw || row.prepare)
      others.push(await start('sqlite-uncounted', { extra: [...extra, '--uncounted'] }))
    if (bench.against) others.push(await start('before', {}))
    const driver = bench.alone ? undefined : await findBetterSqlite3()
    if (driver)
      others.push(await start('better-sqlite3', { extra: [...extra, '--driver', driver] }))

    const toRequests = await createRequests(row, ours)
    await checkEqual([ours, ...others], toRequests(slices.before).slice(0, checked))
    const settings = { ...bench, connections: 32 }
    const measured = await measureThroughput(ours, others, toRequests, settings)
    const { latency, p99Ratios } = await compareLatencies(ours, others, toRequests, settings)
    return { unit: '/s', ...measured, latency, p99Ratios }
  } finally {
    await Promise.all(started.map((side) => side.stop()))
  }
}

/** Compares the statuses, bodies and totals of all sides. @throws Error with the first difference */
async function checkEqual([ours, ...others], requests) {
  for (const request of requests) {
    const expected = await answerOf(ours, request)
    for (const side of others) {
      const answer = await answerOf(side, request)
      if (side.name === 'sqlite-uncounted') answer.total = expected.total
      if (isDeepStrictEqual(answer, expected)) continue
      const path = JSON.stringify(side.toHttp(request)).slice(0, 300)
      const brief = (one) => JSON.stringify(one).slice(0, 600)
      throw new Error(
        `Failed to compare: "${side.name}" answers ${path} with ${brief(answer)}, Fixtura with ${brief(expected)}.`,
      )
    }
  }
}

async function answerOf(side, request) {
  const { status, value, headers } = await ask(side.url, side.toHttp(request))
  return { status, value, total: headers['x-total-count'] }
}

/** Measures the percentiles by turns; the ratios are the medians of the 99th percentile of ours to theirs. */
async function compareLatencies(ours, others, toRequests, bench) {
  const found = []
  for (let round = 0; round < (bench.quick ? 1 : latencyRounds); round++) {
    const one = { fixtura: await measureLatency(ours, toRequests, bench, 3) }
    for (const side of others) one[side.name] = await measureLatency(side, toRequests, bench, 3)
    found.push(one)
  }
  const middle = (value) => median(found.map(value))
  return {
    latency: {
      p50: middle(({ fixtura }) => fixtura.p50),
      p99: middle(({ fixtura }) => fixtura.p99),
    },
    p99Ratios: Object.fromEntries(
      others.map(({ name }) => [name, middle((one) => one.fixtura.p99 / one[name].p99)]),
    ),
  }
}

async function createRequests({ draw: given, prepare, toRequest, insertsEvery }, ours) {
  if (toRequest) return (slice) => repeat(slice, (random) => toRequest(random, count))
  const insert = (random) => ({ kind: 'post', record: createRecord(random, vocabulary) })
  if (insertsEvery === 1) return (slice) => repeat(slice, insert)
  const draw = given ?? (await prepare(ours))
  const write = insertsEvery && { every: insertsEvery, toRequest: (_at, random) => insert(random) }
  const traffic = createTraffic(
    draw,
    () => length,
    () => write,
  )
  return once((slice) => traffic(count, slice))
}

function repeat(slice, draw) {
  const random = createRandom(700 + slice)
  return Array.from({ length }, () => draw(random))
}

function once(make) {
  const made = new Map()
  return (key) => made.get(key) ?? made.set(key, make(key)).get(key)
}

function drawValue(random) {
  return {
    where: { authorId: random.integer(1, 1_000) },
    ...drawPage(random, orders, 4),
  }
}

function drawRange(random) {
  const views = { gte: random.integer(0, mostViews - 1) }
  return { where: { views }, ...drawPage(random, ['-createdAt', 'price'], 20) }
}

function drawTree(random) {
  const status = random.pick(statuses)
  const views = { gte: random.integer(0, mostViews - 1) }
  const [one, other] = [random.pick(categories), random.pick(categories)]
  return random.pick([
    {
      or: [
        { category: one, views },
        { category: other, status },
      ],
    },
    { and: [{ category: one }, { not: { or: [{ status }, { views }] } }] },
    { and: [{ or: [{ category: one }, { category: other }] }, { not: { status } }, { views }] },
  ])
}

/** A text across the end of a word of a title: the end of a word, and the begin of the next. */
function drawFragment(random) {
  const [one, other] = [random.pick(vocabulary), random.pick(vocabulary)]
  return random.pick([
    one,
    `${one.slice(-2)} ${other.slice(0, 2)}`,
    `${one.slice(-3)} ${other.slice(0, 1)}`,
  ])
}

function drawPage(random, orders, pages) {
  const sort = random.pick(orders)
  return { ...(sort && { sort }), page: random.integer(1, pages), limit: random.integer(10, 30) }
}

/** Draws pages after cursors, which Fixtura gives to a client that follows the links of each list. */
async function prepareCursors({ url, toHttp }) {
  const cursors = []
  for (const featured of [true, false]) {
    for (const sort of ['-createdAt', 'views']) {
      let question = { where: { featured }, sort, cursor: '', limit: 97 }
      while (question) {
        const { headers, value } = await ask(url, toHttp({ kind: 'list', question }))
        const [, cursor] = /[?&]_cursor=([^&>]+)[^>]*>; rel="?next/.exec(headers.link) ?? []
        const { id, [sort.replace('-', '')]: last } = value.at(-1)
        question = cursor && { ...question, cursor: decodeURIComponent(cursor), after: [last, id] }
        if (question) cursors.push(question)
      }
    }
  }
  return (random) => ({ ...random.pick(cursors), limit: random.integer(5, 200) })
}

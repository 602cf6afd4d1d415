// `node graphql.js TASK` measures `graphql()` and json-graphql-server in this process, by turns, with 10,000 posts of
// 100 users. The answers are compared first. The peer runs operations without a request, which Fixtura parses.

import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'

import { watchCpu } from '../lib/cpu.js'
import { compareRounds } from '../lib/rounds.js'

const require = createRequire(import.meta.url)
const { row, rounds, seconds, alone } = JSON.parse(process.argv[2])
const [count, turns] = [10_000, 10]
const users = Array.from({ length: 100 }, (_, at) => ({ id: at + 1, name: `User ${at + 1}` }))
const posts = Array.from({ length: count }, (_, at) => ({
  id: at + 1,
  title: `Post ${at + 1}`,
  views: (at * 7919) % count,
  user_id: (at % 100) + 1,
}))
const fields = { list: 'id title views', relation: 'id title User { name }' }[row]
const toQuery = (at) => `{ allPosts(filter: { views_gt: ${(at * 37) % count} }, sortField: "views",
  sortOrder: "asc", page: 0, perPage: 20) { ${fields} } }`

const sides = [
  { name: 'fixtura', ask: await startFixtura() },
  ...(alone ? [] : [{ name: 'json-graphql-server', ask: startPeer() }]),
]
let next = 0
for (; next < 50; next++) {
  const [ours, ...others] = await Promise.all(sides.map(({ ask }) => ask(toQuery(next))))
  const other = others.find((one) => !isDeepStrictEqual(JSON.parse(one), JSON.parse(ours)))
  if (other) throw new Error(`Failed to compare: ${ours} is ${other} for the peer.`)
}
console.log(`\n${JSON.stringify({ unit: '/s', ...(await compareRounds(rounds, measureRound)) })}`)

/** The sides take turns many times a round, so that disturbances affect both of them. */
async function measureRound() {
  const watched = watchCpu(process.pid)
  const sums = sides.map((side) => ({ ...side, answers: 0, seconds: 0, cpu: 0 }))
  for (let turn = 0; turn < turns; turn++) {
    for (const sum of turn % 2 ? sums : sums.toReversed()) {
      const own = watchCpu(process.pid)
      const start = performance.now()
      const elapsed = () => (performance.now() - start) / 1000
      for (; elapsed() < seconds / turns; sum.answers++) await sum.ask(toQuery(next + sum.answers))
      sum.seconds += elapsed()
      sum.cpu += own().cpu
    }
  }
  next += Math.max(...sums.map(({ answers }) => answers))
  const { foreign } = watched()
  return sums.map(({ name, answers, seconds, cpu }) => [
    name,
    { rate: answers / seconds, cost: cpu / answers, foreign },
  ])
}

async function startFixtura() {
  const { createMock } = await import('../../dist/index.js')
  const { graphql } = await import('../../dist/graphql.js')
  const mock = createMock({ fixtures: { posts, users }, use: [graphql()] })
  return async (query) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ query }) }
    const response = await mock.fetch(new Request('http://localhost/graphql', init))
    return response.text()
  }
}

function startPeer() {
  const { jsonSchemaBuilder } = require('json-graphql-server/node')
  const { graphql } = require('graphql')
  const schema = jsonSchemaBuilder(structuredClone({ posts, users }))
  return async (source) => JSON.stringify(await graphql({ schema, source }))
}

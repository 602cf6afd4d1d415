// `node in-process.js TASK` measures traffic within this process: Fixtura, FakeRest and a constant handler
// take turns. Each is called with a `Request`, or through `fetch` and MSW.

import { readFileSync } from 'node:fs'

import { getMswHandler } from 'fakerest'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

import { createMock } from '../../dist/index.js'
import { handlers, strict } from '../../dist/msw.js'
import { watchCpu } from '../lib/cpu.js'
import { createModel, verify } from '../lib/model.js'
import { compareRounds } from '../lib/rounds.js'
import { hotList, members, mixed, posts, slices, wholeList } from '../lib/traffic.js'
import { wires } from '../lib/wire-formats.js'

const traffics = { hotList, members, mixed, posts, wholeList }
const { via, traffic, count, file, rounds, seconds } = JSON.parse(process.argv[2])
const origin = 'http://bench.test'
const turns = 20
const read = () => JSON.parse(readFileSync(file, 'utf8'))
const mock = createMock({ fixtures: read() })
const fakeRest = getMswHandler({ baseUrl: origin, data: read() })
const toRequests = (round) => traffics[traffic](count, round)

let constant
const sides = [
  { name: 'fixtura', wire: wires.rest, call: mock.fetch, handlers: handlers(mock) },
  {
    name: 'constant',
    wire: wires.rest,
    call: async () => Response.json(constant),
    handlers: [http.get(/\/posts/, () => HttpResponse.json(constant))],
  },
  {
    name: 'fakerest',
    wire: wires.fakeRest,
    call: (request) => fakeRest({ request }),
    handlers: [http.all(/\/posts/, fakeRest)],
  },
]
const server = via === 'msw' ? setupServer() : undefined
server?.listen(strict())

const before = toRequests(slices.before).slice(0, 30)
use(sides[0])
await verify('fixtura', (request) => send(sides[0], request), before, createModel(read().posts))

constant = (await send(sides[0], toRequests(slices.warm)[0])).value

await measureAll(0)
const measured = await compareRounds(rounds, measureAll)
server?.close()

const path = new URL('../../package.json', import.meta.resolve('msw'))
const { version } = JSON.parse(readFileSync(path, 'utf8'))
console.log(`\n${JSON.stringify({ ...measured, versions: { msw: version } })}`)

/** The sides take turns many times a round, so that disturbances affect all of them. */
async function measureAll(round) {
  const requests = toRequests(round === 0 ? slices.warm : slices.first + round)
  const watched = watchCpu(process.pid)
  const sums = sides.map((side) => ({ side, answers: 0, seconds: 0, cpu: 0 }))
  for (let turn = 0; turn < turns; turn++) {
    for (const sum of turn % 2 ? sums : sums.toReversed()) {
      if (sum.seconds < seconds) await takeTurn(sum, requests)
    }
  }
  const { foreign } = watched()
  return sums.map(({ side, answers, seconds, cpu }) => [
    side.name,
    { rate: answers / seconds, cost: cpu / answers, foreign },
  ])
}

function use(side) {
  server?.resetHandlers(...side.handlers)
}

async function takeTurn(sum, requests) {
  const { side } = sum
  use(side)
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 1000
  const watched = watchCpu(process.pid)
  while (elapsed() < seconds / turns) {
    const response = await fire(side, requests[sum.answers++ % requests.length])
    await response.text()
    if (!response.ok)
      throw new Error(`Failed to measure "${side.name}": it answered ${response.status}.`)
  }
  sum.seconds += elapsed()
  sum.cpu += watched().cpu
}

async function send(side, request) {
  const response = await fire(side, request)
  return { status: response.status, value: side.wire.fromHttp(request, await response.json()) }
}

function fire(side, request) {
  const asked = toRequest(side.wire, request)
  return server ? fetch(asked) : side.call(asked)
}

function toRequest(wire, request) {
  const { method, path, body } = wire.toHttp(request)
  return new Request(`${origin}${path}`, {
    method,
    ...(body ? { body, headers: { 'Content-Type': 'application/json' } } : {}),
  })
}

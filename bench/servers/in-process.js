// `node in-process.js TASK` measures one traffic inside this process: ours, FakeRest and a constant
// handler by turns, each called with a `Request`, or by `fetch` through MSW.

import { readFileSync } from 'node:fs'

import { getMswHandler } from 'fakerest'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

import { createMock } from '../../dist/index.js'
import { handlers, strict } from '../../dist/msw.js'
import { createModel, verify } from '../lib/model.js'
import { median } from '../lib/statistics.js'
import { hotList, members, mixed, posts, wholeList } from '../lib/traffic.js'
import { wires } from '../lib/wires.js'

const traffics = { hotList, members, mixed, posts, wholeList }
const { via, traffic, count, file, rounds, seconds } = JSON.parse(process.argv[2])
const origin = 'http://bench.test'
const read = () => JSON.parse(readFileSync(file, 'utf8'))
const mock = createMock({ fixtures: read() })
const fakeRest = getMswHandler({ baseUrl: origin, data: read() })
const toRequests = (round) => traffics[traffic](count, round)

const constant = await (await mock.fetch(toRequest(wires.rest, toRequests(0)[0]))).json()
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

const before = toRequests(rounds + 1).slice(0, 30)
use(sides[0])
await verify('fixtura', (request) => send(sides[0], request), before, createModel(read().posts))

const rates = new Map(sides.map(({ name }) => [name, []]))
for (let round = 0; round <= rounds; round++) {
  const requests = toRequests(round)
  for (const side of round % 2 ? sides : sides.toReversed()) {
    use(side)
    const rate = await run(side, requests)
    if (round > 0) rates.get(side.name).push(rate)
  }
}
server?.close()

const names = sides.map(({ name }) => name)
const mine = rates.get('fixtura')
const toRatio = (name) => median(rates.get(name).map((rate, at) => mine[at] / rate))
const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.resolve('msw')), 'utf8'),
)
console.log(
  `\n${JSON.stringify({
    rates: Object.fromEntries(names.map((name) => [name, median(rates.get(name))])),
    ratios: Object.fromEntries(names.slice(1).map((name) => [name, toRatio(name)])),
    versions: { msw: version },
  })}`,
)

function use(side) {
  server?.resetHandlers(...side.handlers)
}

async function run(side, requests) {
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 1000
  let answers = 0
  while (elapsed() < seconds) {
    const response = await fire(side, requests[answers++ % requests.length])
    await response.text()
    if (!response.ok)
      throw new Error(`Failed to measure "${side.name}": it answered ${response.status}.`)
  }
  return answers / elapsed()
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

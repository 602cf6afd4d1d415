// Measures the responses a second of all sides alternately. Other programs use the machine too, so a ratio is
// the median of the ratios of the rounds, never the ratio of medians from different times.

import { watchCpu } from './cpu.js'
import { load } from './load.js'
import { compareRounds } from './rounds.js'
import { ask } from './send.js'
import { median } from './statistics.js'
import { slices } from './traffic.js'

/** The most milliseconds of work that may wait at a side: a slower side gets fewer connections. */
const mostWaiting = 250
/** The most requests that measure the pace of a side, before the first deletion, and the most seconds. */
const paced = { requests: 50, seconds: 5 }
/** A side slower than this is left out, in milliseconds a response. */
const hopeless = 10_000

/**
 * Measures `ours` and the others alternately. `toRequests(slice)` returns the requests of a slice.
 * @returns the median rate of each side, the ratios of `ours` to the others, and notes on sides left out
 */
export async function measureThroughput(ours, others, toRequests, bench) {
  const paces = new Map()
  for (const side of [ours, ...others])
    paces.set(side, await findPace(side, toRequests(slices.warm), bench))
  const sides = [ours, ...others].filter((side) => paces.get(side) < hopeless)
  const measured = await compareRounds(bench.rounds, async (round) => {
    const found = new Map(sides.map(({ name }) => [name, undefined]))
    for (const side of round % 2 ? sides : sides.toReversed()) {
      const requests = toRequests(slices.first + round).map(side.toHttp)
      found.set(side.name, await measure(side, requests, paces.get(side), bench))
      // Waits for queued requests, which must not run while the next side is measured.
      await ask(side.url, { method: 'GET', path: '/posts/1' })
    }
    return found
  })
  const notes = others
    .filter((side) => !sides.includes(side))
    .map(({ name }) => `${name} did not respond within ${hopeless / 1000} s`)
  return { ...measured, notes }
}

/**
 * Measures the percentiles of the times of a side in one long load: Node accepts one connection for each turn of
 * its event loop, so that in a short load the first request of each connection is one of the slowest percent.
 */
export async function measureLatency(side, toRequests, bench, seconds = bench.quick ? 4 : 10) {
  const requests = toRequests(slices.long).map(side.toHttp)
  const { latency } = await load(side.url, requests, seconds, bench)
  return latency
}

async function measure(side, requests, pace, bench) {
  const watched = watchCpu(side.pid)
  const { rate, answers } = await fire(side.url, requests, bench.seconds, pace, bench)
  const { cpu, foreign } = watched()
  return { rate, cost: cpu / answers, foreign }
}

/** Sends requests for some seconds over as many connections as a side of that pace can serve at once. */
function fire(url, requests, seconds, pace, bench) {
  const connections = Math.min(bench.connections ?? 16, Math.floor(mostWaiting / pace))
  return connections < 2
    ? askInTurn(url, requests, seconds)
    : load(url, requests, seconds, { ...bench, connections })
}

/** Warms up a side and measures the milliseconds a response, the median of the later half of the responses. */
async function findPace(side, requests, bench) {
  const asked = requests.map(side.toHttp)
  try {
    await ask(side.url, asked[0], hopeless)
  } catch {
    await side.stop()
    return Infinity
  }
  const { times } = await askInTurn(side.url, asked.slice(0, paced.requests), paced.seconds)
  const pace = median(times.slice(times.length >> 1))
  await fire(side.url, asked, 2, pace, bench)
  return pace
}

async function askInTurn(url, requests, seconds) {
  const start = performance.now()
  const times = []
  for (const request of requests) {
    const asked = performance.now()
    await ask(url, request)
    times.push(performance.now() - asked)
    if (performance.now() - start > seconds * 1000) break
  }
  const answers = times.length
  return { rate: (answers * 1000) / (performance.now() - start), answers, times }
}

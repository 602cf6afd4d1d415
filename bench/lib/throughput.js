// Responses a second of all sides, measured alternately. Other programs use the machine too, so a ratio is
// the median of the ratios of the rounds, never the ratio of medians from different times.

import { watchCpu } from './cpu.js'
import { load } from './load.js'
import { compareRounds } from './rounds.js'
import { ask } from './send.js'
import { slices } from './traffic.js'

/** A side slower than this gets one request at a time, in milliseconds a response. */
const slow = 100
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
      const isSlow = paces.get(side) > slow
      const requests = toRequests(slices.first + round).map(side.toHttp)
      found.set(side.name, await measure(side, requests, isSlow ? askInTurn : load, bench))
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
 * Measures the percentiles of the times of `ours` in one long load: Node accepts one connection for each turn of
 * its event loop, so that in a short load the first request of each connection is one of the slowest percent.
 */
export async function measureLatency(ours, toRequests, bench) {
  const requests = toRequests(slices.long).map(ours.toHttp)
  const { latency } = await load(ours.url, requests, bench.quick ? 4 : 10, bench)
  return latency
}

async function measure(side, requests, fire, bench) {
  const watched = watchCpu(side.pid)
  const { rate, answers } = await fire(side.url, requests, bench.seconds, bench)
  const { cpu, foreign } = watched()
  return { rate, cost: cpu / answers, foreign }
}

/** Measures the milliseconds a response; then warms up the side if it is fast. */
async function findPace(side, requests, bench) {
  const times = []
  for (const request of requests.slice(0, 5)) {
    const start = performance.now()
    try {
      await ask(side.url, side.toHttp(request), hopeless)
    } catch {
      await side.stop()
      return Infinity
    }
    times.push(performance.now() - start)
    if (times.at(-1) > 2000) break
  }
  const pace = Math.min(...times)
  if (pace <= slow) await load(side.url, requests.map(side.toHttp), 2, bench)
  return pace
}

async function askInTurn(url, requests, seconds) {
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 1000
  let answers = 0
  for (const request of requests) {
    await ask(url, request)
    answers++
    if (elapsed() > seconds) break
  }
  return { rate: answers / elapsed(), answers }
}

// Answers a second, of all sides by turns: other programs use the machine too, so a ratio is the
// median of the ratios of rounds, never a ratio of medians that were measured at different times.

import { watchCpu } from './cpu.js'
import { load } from './load.js'
import { compareRounds } from './rounds.js'
import { ask } from './send.js'
import { slices } from './traffic.js'

/** A side that needs longer for one answer is asked one at a time, in milliseconds. */
const slow = 100
/** A side that needs longer is left out. */
const hopeless = 10_000

/**
 * Measures `ours` and the others by turns.
 * `toRequests(slice)` gives the requests of a slice.
 * @returns the median rate of each side, the ratios of ours to each other side, and who was left out
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
      // What is still queued there must not run while the next side is measured.
      await ask(side.url, { method: 'GET', path: '/posts/1' })
    }
    return found
  })
  const notes = others
    .filter((side) => !sides.includes(side))
    .map(({ name }) => `${name} gave no answer within ${hopeless / 1000} s`)
  return { ...measured, notes }
}

async function measure(side, requests, fire, { seconds, scratch }) {
  const watched = watchCpu(side.pid)
  const { rate, answers } = await fire(side.url, requests, seconds, scratch)
  const { cpu, foreign } = watched()
  return { rate, cost: cpu / answers, foreign }
}

/** Milliseconds for one answer, after a warm-up where the side is quick. */
async function findPace(side, requests, { scratch }) {
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
  if (pace <= slow) await load(side.url, requests.map(side.toHttp), 2, scratch)
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

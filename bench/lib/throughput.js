// Answers a second, of all sides by turns: other programs use the machine too, so a ratio is the
// median of the ratios of rounds, never a ratio of medians that were measured at different times.

import { load } from './load.js'
import { ask } from './send.js'
import { median } from './statistics.js'

/** A side that needs longer for one answer is asked one at a time, in milliseconds. */
const slow = 100
/** A side that needs longer is left out. */
const hopeless = 10_000

/**
 * Measures `ours` and the others by turns.
 * `toRequests(round)` gives the requests of a round; round 0 warms up.
 * @returns the median rate of each side, the ratio of ours to each other side, and who was left out
 */
export async function measureThroughput(ours, others, toRequests, { rounds, seconds, scratch }) {
  const sides = [ours, ...others]
  const rates = new Map(sides.map((side) => [side, []]))
  const notes = []
  const paces = new Map()
  for (const side of sides) paces.set(side, await findPace(side, toRequests(0), scratch))
  for (let round = 1; round <= rounds; round++) {
    for (const side of round % 2 ? sides : sides.toReversed()) {
      const pace = paces.get(side)
      if (pace === Infinity || (pace > slow && round > 3)) continue
      const requests = toRequests(round).map(side.toHttp)
      const rate =
        pace > slow
          ? await askInTurn(side, requests, seconds)
          : await load(side.url, requests, seconds, scratch)
      rates.get(side).push(rate)
      // What is still queued there must not run while the next side is measured.
      await ask(side.url, { method: 'GET', path: '/posts/1' })
    }
  }
  for (const [side, pace] of paces) {
    if (pace === Infinity) notes.push(`${side.name} gave no answer within ${hopeless / 1000} s`)
  }
  const mine = rates.get(ours)
  const answered = sides.filter((side) => rates.get(side).length > 0)
  return {
    rates: Object.fromEntries(answered.map((side) => [side.name, median(rates.get(side))])),
    ratios: Object.fromEntries(
      answered
        .filter((side) => side !== ours)
        .map((side) => [side.name, median(rates.get(side).map((rate, at) => mine[at] / rate))]),
    ),
    notes,
  }
}

/** Milliseconds for one answer, after a warm-up where the side is quick. */
async function findPace(side, requests, scratch) {
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
  if (pace <= slow) await load(side.url, requests.map(side.toHttp), 1, scratch)
  return pace
}

async function askInTurn(side, requests, seconds) {
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 1000
  let answers = 0
  for (const request of requests) {
    await ask(side.url, request)
    answers++
    if (elapsed() > seconds) break
  }
  return answers / elapsed()
}

// A row for the time from a save until the new data is served: writes a new title of the first record to the
// file, and requests the record until the response has the title. Fixtura and json-server 1 take turns on the
// same version of Node, with pauses of up to 100 ms, because json-server 1 misses a save within 50 ms of
// another.

import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import { createRandom } from '../lib/data.js'
import { findNode24 } from '../lib/node-24.js'
import { startProgram } from '../lib/programs.js'
import { quantile } from '../lib/statistics.js'
import { compareTimes } from './start.js'

/** A save counts as missed if it is not served within this time, in milliseconds. */
const patience = 2_000
/** A side that misses this many saves from the start does not watch its file. */
const hopeless = 5

/**
 * Creates the row: its rates are milliseconds, its ratios are the times of the others divided by Fixtura's.
 * A save that one side missed is left out for both, so that the times stay comparable.
 */
export function reloadRow({ count }) {
  return async (bench) => {
    const node = await findNode24()
    const random = createRandom(400)
    const file = bench.database(count)
    const sides = []
    try {
      for (const name of ['fixtura', 'json-server-1']) {
        sides.push(await startProgram(name, file, { ...bench, node }))
      }
      const data = JSON.parse(readFileSync(file, 'utf8'))
      const times = new Map(sides.map(({ name }) => [name, []]))
      for (let save = 0; save < bench.saves; save++) {
        for (const side of save % 2 ? sides : sides.toReversed()) {
          await delay(random.integer(0, 100))
          data.posts[0].title = `version ${save}`
          const time = await untilServed(side, JSON.stringify(data), data.posts[0].title)
          times.get(side.name).push(time)
          if (save === hopeless && times.get(side.name).every(isMissed))
            throw new Error(`Failed to measure "${side.name}": it does not reload.`)
        }
      }
      const isServed = (_time, save) => [...times.values()].every((all) => !isMissed(all[save]))
      const served = [...times].map(([name, all]) => [name, all.filter(isServed)])
      const missed = countMissed(times.get('fixtura'))
      return {
        ...compareTimes(new Map(served), 'ms'),
        // The goal also requires that no save is missed.
        broken: missed > 0 ? `missed ${missed} of ${bench.saves} saves` : undefined,
        notes: [...times].map(([name, all]) => describe(name, all)),
      }
    } finally {
      await Promise.all(sides.map((side) => side.stop()))
    }
  }
}

async function untilServed(side, text, title) {
  const begun = performance.now()
  writeFileSync(side.file, text)
  for (;;) {
    const { value } = await side.send({ kind: 'get', id: 1 })
    const time = performance.now() - begun
    if (value?.title === title) return time
    if (time > patience) return Infinity
    await delay(1)
  }
}

function isMissed(time) {
  return time === Infinity
}

function countMissed(times) {
  return times.filter(isMissed).length
}

function describe(name, times) {
  const served = times.filter((time) => !isMissed(time))
  const most = Math.round(quantile(served, 0.95))
  return `${name} missed ${countMissed(times)} of ${times.length}, 95 % of the others within ${most} ms`
}

// Save to served: the file is written in place with a new title in its first record, which is then
// asked for until the answer shows it. Ours and json-server 1 by turns, on the same Node.

import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import { createRandom } from '../lib/data.js'
import { findNode24 } from '../lib/node-24.js'
import { startProgram } from '../lib/sides.js'
import { quantile } from '../lib/statistics.js'
import { compareTimes } from './start.js'

/** A save that is not served after so many milliseconds was missed. */
const patience = 3_000
/** A side that missed so many does not watch at all. */
const hopeless = 5

/** Makes the row; its rates are milliseconds, its ratios how many times as fast ours is. */
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
      const missed = new Map(sides.map(({ name }) => [name, 0]))
      for (let save = 0; save < bench.saves; save++) {
        for (const side of save % 2 ? sides : sides.toReversed()) {
          await delay(random.integer(0, 100))
          data.posts[0].title = `version ${save}`
          const time = await untilServed(side, JSON.stringify(data), data.posts[0].title)
          times.get(side.name).push(time)
          if (time >= patience) missed.set(side.name, missed.get(side.name) + 1)
          if (missed.get(side.name) === hopeless) throw new Error(`"${side.name}" does not reload.`)
        }
      }
      return { ...compareTimes(times, 'ms'), notes: [describe(times, missed, bench.saves)] }
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
    if (time > patience) return patience
    await delay(1)
  }
}

function describe(times, missed, saves) {
  const parts = [...times].map(([name, all]) => {
    const most = Math.round(quantile(all, 0.95))
    return `${name} missed ${missed.get(name)} of ${saves}, 95 % within ${most} ms`
  })
  return parts.join('; ')
}

// Spawn to the first 2xx, on the Node that json-server 1 supports, many times by turns.

import { findNode24 } from '../lib/node-24.js'
import { startProgram } from '../lib/sides.js'
import { median } from '../lib/statistics.js'

const names = ['fixtura', 'json-server-1', 'holder']

/** Makes the row; its rates are milliseconds, its ratios how many times as fast ours is. */
export function startRow({ count }) {
  return async (bench) => {
    const node = await findNode24()
    const times = new Map(names.map((name) => [name, []]))
    const file = bench.database(count)
    for (let spawn = -1; spawn < bench.spawns; spawn++) {
      for (const name of spawn % 2 ? names : names.toReversed()) {
        const side = await startProgram(name, file, { ...bench, node })
        // The first ones only warm the disk.
        if (spawn >= 0) times.get(name).push(side.startTime)
        await side.stop()
      }
    }
    return compareTimes(times, 'ms')
  }
}

/** Medians of times, and the ratio of the others' to ours. */
export function compareTimes(times, unit) {
  const mine = times.get('fixtura')
  const others = [...times].filter(([name]) => name !== 'fixtura')
  const toRatio = (theirs) => median(theirs.map((time, at) => time / mine[at]))
  return {
    unit,
    rates: Object.fromEntries([...times].map(([name, all]) => [name, median(all)])),
    ratios: Object.fromEntries(others.map(([name, theirs]) => [name, toRatio(theirs)])),
  }
}

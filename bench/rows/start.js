// Rows for the time from spawn to the first 2xx response, measured alternately on a version of Node that
// json-server 1 supports.

import { findNode24 } from '../lib/node-24.js'
import { startProgram } from '../lib/programs.js'
import { median } from '../lib/statistics.js'

/**
 * Creates the row: its rates are milliseconds, its ratios are the times of the others divided by Fixtura's.
 * `files` is for a folder of so many files, which json-server 1 cannot serve.
 */
export function startRow({ count, files }) {
  const peers = files ? ['holder'] : ['json-server-1', 'holder']
  return async (bench) => {
    const names = ['fixtura', ...(bench.against ? ['before'] : []), ...peers]
    const node = await findNode24()
    const times = new Map(names.map((name) => [name, []]))
    const file = files ? bench.files(files) : bench.database(count)
    for (let spawn = -1; spawn < bench.spawns; spawn++) {
      for (const name of spawn % 2 ? names : names.toReversed()) {
        const side = await startProgram(name, file, { ...bench, node })
        // The first start of each side only warms the disk cache.
        if (spawn >= 0) times.get(name).push(side.startTime)
        await side.stop()
      }
    }
    return compareTimes(times, 'ms')
  }
}

/** The medians of the times, and of the ratios of the others' times to Fixtura's. */
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

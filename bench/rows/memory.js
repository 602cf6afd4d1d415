// A row for the resident memory of a server after loading a file and answering requests, compared with a
// process that only holds the parsed file. Both are measured after the same forced garbage collections.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { startProgram } from '../lib/programs.js'
import { members, mixed } from '../lib/traffic.js'

const collector = join(import.meta.dirname, '../servers/collect.js')
const flags = ['--expose-gc', '--import', collector]

/** Creates the row: its rates are megabytes, its ratio is Fixtura's memory divided by the holder's. */
export function memoryRow({ count }) {
  return async (bench) => {
    const length = bench.quick ? 1_000 : 10_000
    const requests = mixed(count, 1)
      .slice(0, length / 2)
      .concat(members(count, 1), members(count, 2), members(count, 3))
      .slice(0, length)
    const sizes = {}
    const notes = []
    for (const name of ['fixtura', 'holder']) {
      const side = await startProgram(name, bench.database(count), { ...bench, flags })
      for (const request of requests) await side.send(request)
      const uncollected = toMegabytes(side.pid)
      sizes[name] = await collected(side)
      notes.push(`${name} ${Math.round(uncollected)} MB before the collection`)
      await side.stop()
    }
    const ratios = { holder: sizes.fixtura / sizes.holder }
    return { unit: 'MB', rates: sizes, ratios, notes: [notes.join('; ')] }
  }
}

async function collected(side) {
  for (let turn = 0; turn < 3; turn++) {
    side.child.kill('SIGUSR2')
    // Memory returns to the system shortly after the collection, without an event to wait for.
    await delay(500)
    await side.send({ kind: 'get', id: 1 })
  }
  return toMegabytes(side.pid)
}

function toMegabytes(pid) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

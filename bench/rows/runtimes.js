// A row for the server of Fixtura on Node, under the same load as on Bun and Deno, and as a worker in
// `workerd`.

import { createModel, verify } from '../lib/model.js'
import { startProgram } from '../lib/programs.js'
import { measureThroughput } from '../lib/throughput.js'
import { slices } from '../lib/traffic.js'

const others = ['fixtura-bun', 'fixtura-deno', 'fixtura-worker']

/** Creates a row from its traffic and its number of records. */
export function runtimesRow({ traffic, count }) {
  return async (bench) => {
    const sides = []
    try {
      for (const name of ['fixtura', ...others]) {
        const side = await startProgram(name, bench.database(count), bench)
        sides.push(side)
        const requests = traffic(count, slices.before).slice(0, 50)
        await verify(name, side.send, requests, createModel(bench.records(count)))
      }
      const [ours, ...rest] = sides
      const toRequests = (round) => traffic(count, round)
      const measured = await measureThroughput(ours, rest, toRequests, bench)
      const speeds = Object.entries(measured.ratios).map(
        ([name, ratio]) => `${name} has ${(1 / ratio).toPrecision(2)} of the speed of Node`,
      )
      return { unit: '/s', ...measured, notes: [...measured.notes, speeds.join('; ')] }
    } finally {
      await Promise.all(sides.map((side) => side.stop()))
    }
  }
}

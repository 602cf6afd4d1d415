// What is answered inside one process, through `mock.fetch` or through MSW, against a constant
// handler and FakeRest.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const script = join(import.meta.dirname, '../servers/in-process.js')

/** Measures in a child process; gives rates and ratios as `measureThroughput` does. */
export async function measureInProcess(
  task,
  { rounds, seconds, database, node = process.execPath },
) {
  const file = database(task.count)
  const input = JSON.stringify({ ...task, file, rounds, seconds: seconds / 2 })
  const { stdout } = await promisify(execFile)(node, [script, input], { maxBuffer: 1e8 })
  return JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('{')))
}

/** Makes a row through MSW, whose ratios are costs: how many times the constant handler's time. */
export function mswRow({ traffic, count }) {
  return async (bench) => {
    const { rates, ratios, versions } = await measureInProcess(
      { via: 'msw', traffic: traffic.name, count },
      bench,
    )
    const costs = Object.entries(ratios).map(([name, ratio]) => [name, 1 / ratio])
    return { unit: '/s', rates, ratios: Object.fromEntries(costs), notes: [`msw ${versions.msw}`] }
  }
}

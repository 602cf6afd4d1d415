// Rows for requests within one process, through `mock.fetch` or MSW, compared with a constant handler and
// FakeRest.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { findNode24 } from '../lib/node-24.js'

const script = join(import.meta.dirname, '../servers/in-process.js')
const msw3 = join(import.meta.dirname, '../lib/msw-3.js')

/** Measures in a child process; returns rates and ratios like `measureThroughput`. */
export async function measureInProcess(
  task,
  { rounds, seconds, database, node = process.execPath, options = [] },
) {
  const file = database(task.count)
  const input = JSON.stringify({ ...task, file, rounds, seconds: seconds / 2 })
  const { stdout } = await promisify(execFile)(node, [...options, script, input], {
    maxBuffer: 1e8,
  })
  return JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('{')))
}

/**
 * Creates a row through MSW. Its ratios are costs: the time divided by that of the constant handler. MSW 3
 * runs on Node 24.
 */
export function mswRow({ traffic, count, major = 2 }) {
  return async (bench) => {
    const task = { via: 'msw', traffic: traffic.name, count }
    const newer = major === 3 && { node: await findNode24(), options: ['--import', msw3] }
    const measured = await measureInProcess(task, { ...bench, ...newer })
    const { ratios, cpuRatios, versions, ...rest } = measured
    return {
      unit: '/s',
      ...rest,
      ratios: toCosts(ratios),
      cpuRatios: toCosts(cpuRatios),
      notes: [`msw ${versions.msw}`],
    }
  }
}

function toCosts(ratios) {
  return Object.fromEntries(Object.entries(ratios).map(([name, ratio]) => [name, 1 / ratio]))
}

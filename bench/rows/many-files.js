// Rows for the CPU time of a server that watches a folder of many files, in all its threads: while nothing
// happens, and while another program saves some of the files.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { cpuOf } from '../lib/cpu.js'
import { startProgram } from '../lib/programs.js'
import { median } from '../lib/statistics.js'

/** The time after the start in which the watcher and the garbage collector come to rest, in milliseconds. */
const settling = 10_000

/** Creates the row: its rate is the share of a core in percent, its ratio the share as a fraction. */
export function idleRow({ files }) {
  return (bench) =>
    withServer(bench, files, async ({ pid }) => {
      // The pause between two scans is at most a minute.
      const seconds = bench.quick ? 20 : 120
      const before = cpuOf(pid)
      await delay(seconds * 1000)
      const share = (cpuOf(pid) - before) / seconds
      return { unit: '% of a core', rates: { fixtura: share * 100 }, ratios: { core: share } }
    })
}

/**
 * Creates the row: its rate is the CPU time from the first save until the last is served, in milliseconds, its
 * ratio that time divided by the CPU time of reading and parsing the same files.
 */
export function saveFilesRow({ files, saved }) {
  return (bench) =>
    withServer(bench, files, async ({ pid, file, url }) => {
      const times = { fixtura: [], bare: [] }
      for (let round = -1; round < (bench.quick ? 3 : 7); round++) {
        const title = `round ${round}`
        const names = Array.from({ length: saved }, (_, at) => `resource-${at + 1}`)
        const texts = names.map((name) => toChanged(join(file, `${name}.json`), title))
        const before = cpuOf(pid)
        for (const [at, name] of names.entries()) {
          writeFileSync(join(file, `${name}.json`), texts[at])
        }
        for (const name of names) await untilServed(`${url}/${name}/1`, title)
        // The first round only warms up.
        if (round >= 0) times.fixtura.push((cpuOf(pid) - before) * 1000)
        const begun = process.cpuUsage()
        for (const name of names) JSON.parse(readFileSync(join(file, `${name}.json`), 'utf8'))
        const { user, system } = process.cpuUsage(begun)
        if (round >= 0) times.bare.push((user + system) / 1000)
        await delay(1000)
      }
      const rates = { fixtura: median(times.fixtura), bare: median(times.bare) }
      return { unit: 'ms', rates, ratios: { bare: rates.fixtura / rates.bare } }
    })
}

async function withServer(bench, files, run) {
  const side = await startProgram('fixtura', bench.files(files), bench)
  try {
    await delay(settling)
    return await run(side)
  } finally {
    await side.stop()
  }
}

/** The text of a file whose first record has another title. */
function toChanged(path, title) {
  const [first, ...rest] = JSON.parse(readFileSync(path, 'utf8'))
  return JSON.stringify([{ ...first, title }, ...rest])
}

async function untilServed(url, title) {
  for (;;) {
    const record = await (await fetch(url)).json()
    if (record.title === title) return
    await delay(20)
  }
}

// `npm run bench [-- --row list-hot] [--quick] [--alone] [--check] [--profile folder]`
// Measures every row, or the named ones; `--alone` leaves the peers out, `--profile` writes CPU
// profiles of our server and prints the functions of the last. Only a whole, long run writes
// results.md and ratios.json.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { createRecords, writeDatabase } from './lib/data.js'
import { readProfile } from './lib/profile.js'
import { isMet, preface, toEnvironment, toNotes, toTable } from './lib/report.js'
import { table } from './rows/table.js'

const { values } = parseArgs({
  options: {
    row: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
const committed = join(import.meta.dirname, 'ratios.json')
/** What `--check` lets a ratio lose. */
const tolerance = 0.25

const scratch = mkdtempSync(join(tmpdir(), 'fixtura-bench-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))
const bench = createBench()
const unknown = values.row.filter((name) => !table.some((row) => row.name === name))
if (unknown.length > 0) {
  const known = table.map((row) => row.name).join(', ')
  console.error(`Failed to run "${unknown.join(', ')}": no such row. Please use one of ${known}.`)
  process.exit(1)
}

const results = []
for (const row of table.filter(
  ({ name }) => values.row.length === 0 || values.row.includes(name),
)) {
  const result = await row
    .run(bench)
    .catch((error) => ({ failure: error.message.slice(0, 800), ratios: {} }))
  results.push({ row, result })
  const ratio = result.ratios[row.goal.against]
  console.log(
    `${row.name}: ${result.failure ?? `${ratio?.toPrecision(3)} of ${row.goal.against}${isMet(row, result) ? '' : ', below its goal'}`}`,
  )
}

if (values.profile) console.log(readProfile(values.profile).join('\n'))
const environment = toEnvironment()
const document = toDocument()
console.log(`\n${document}`)
if (values.check) process.exitCode = check() ? 0 : 1
else if (values.row.length === 0 && !values.quick && !values.alone) save()
process.exitCode ??= results.some(({ result }) => result.failure) ? 1 : 0

function createBench() {
  const files = new Map()
  const records = new Map()
  const keep = (map, count, make) => map.get(count) ?? map.set(count, make()).get(count)
  if (values.profile) mkdirSync(values.profile, { recursive: true })
  return {
    scratch,
    quick: values.quick,
    /** Leaves the peers out. */
    alone: values.alone,
    rounds: values.quick ? 3 : 7,
    seconds: 1,
    spawns: values.quick ? 5 : 31,
    saves: values.quick ? 20 : 200,
    profileFlags: values.profile ? ['--cpu-prof', '--cpu-prof-dir', values.profile] : [],
    database: (count) => keep(files, count, () => writeDatabase(scratch, count)),
    records: (count) => keep(records, count, () => createRecords(count)),
  }
}

function toDocument() {
  const { machine, versions } = environment
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return [
    toTable(results),
    '',
    ...toNotes(results),
    '',
    `Machine: ${machine}. Versions: ${names.join(', ')}.`,
    '',
  ].join('\n')
}

function save() {
  writeFileSync(join(import.meta.dirname, 'results.md'), `${preface}\n${document}`)
  const rows = Object.fromEntries(results.map(({ row, result }) => [row.name, result.ratios]))
  writeFileSync(committed, `${JSON.stringify({ ...environment, rows }, null, 2)}\n`)
}

function check() {
  const { rows } = JSON.parse(readFileSync(committed, 'utf8'))
  const lost = results.filter(({ row: { name, goal }, result }) => {
    const was = rows[name]?.[goal.against]
    const is = result.ratios[goal.against]
    if (was === undefined) return false
    if (is === undefined) return true
    return goal.atLeast === undefined ? is > was * (1 + tolerance) : is < was * (1 - tolerance)
  })
  for (const { row, result } of lost) {
    const { against } = row.goal
    const now = result.ratios[against]?.toPrecision(3) ?? 'nothing'
    console.error(
      `${row.name} was ${rows[row.name][against].toPrecision(3)} of ${against}, is ${now}.`,
    )
  }
  return lost.length === 0
}

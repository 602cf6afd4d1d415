// `npm run bench [-- --row list-hot] [--quick] [--alone] [--against folder] [--check] [--save] [--profile folder]`
// Measures all rows, or the named ones. `--alone` leaves the peers out; `--against` also measures another build of
// Fixtura by turns, such as a worktree of an earlier commit, in the rows over HTTP and of the start; `--profile`
// writes CPU profiles of Fixtura's server and prints the functions of the last one. A run of all rows is written
// to ratios.json, results.md and the README; a run of named rows only with `--save`, which keeps the results of
// the others.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { createRecords, writeCatalogue, writeDatabase, writeFiles } from './lib/data.js'
import { readProfile } from './lib/profile.js'
import { isSlower } from './lib/regression.js'
import { isMet, preface, toDocument, toEnvironment, toShortTable } from './lib/report.js'
import { table } from './rows/table.js'

const { values } = parseArgs({
  options: {
    row: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    alone: { type: 'boolean', default: false },
    against: { type: 'string' },
    check: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
const path = join(import.meta.dirname, 'ratios.json')
/** The rows that the README shows, and the place of their table. */
const shown = ['member-10k', 'list-hot', 'list-cold-10k', 'post']
const inReadme = /(<!-- npm run bench -->)[^]*?(<!-- end -->)/

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
const isWhole = values.row.length === 0 && !values.quick && !values.alone
const committed = readResults()
console.log(`\n${toDocument(results, toEnvironment())}`)
if (values.check) process.exitCode = check() ? 0 : 1
else if (values.save || isWhole) save()
process.exitCode ??= results.some(({ result }) => result.failure) ? 1 : 0

function createBench() {
  const files = new Map()
  const records = new Map()
  const keep = (map, count, make) => map.get(count) ?? map.set(count, make()).get(count)
  if (values.profile) mkdirSync(values.profile, { recursive: true })
  return {
    scratch,
    quick: values.quick,
    /** Whether to leave the peers out. */
    alone: values.alone,
    /** The folder of another build of Fixtura, to measure by turns. */
    against: values.against && resolve(values.against),
    rounds: values.quick ? 3 : 7,
    seconds: 1,
    spawns: values.quick ? 5 : 31,
    saves: values.quick ? 20 : 200,
    profileFlags: values.profile ? ['--cpu-prof', '--cpu-prof-dir', values.profile] : [],
    database: (count, related = {}) =>
      keep(files, `${count} ${Object.keys(related).join(' ')}`, () =>
        writeDatabase(scratch, count, related),
      ),
    catalogue: (count, related, vocabulary) =>
      keep(files, `${count} catalogue`, () => writeCatalogue(scratch, count, related, vocabulary)),
    files: (count) => keep(files, `${count} files`, () => writeFiles(scratch, count)),
    records: (count) => keep(records, count, () => createRecords(count)),
  }
}

/** Merges the new results with the committed ones, in the order of the table. */
function save() {
  const fresh = Object.fromEntries(results.map(({ row, result }) => [row.name, round(result)]))
  const rows = { ...committed.rows, ...fresh }
  const environment = toEnvironment()
  const kept = table
    .filter(({ name }) => rows[name])
    .map((row) => ({ row, result: rows[row.name] }))
  const ordered = Object.fromEntries(kept.map(({ row, result }) => [row.name, result]))
  writeFileSync(path, `${JSON.stringify({ ...environment, rows: ordered }, null, 2)}\n`)
  const document = toDocument(kept, environment)
  writeFileSync(join(import.meta.dirname, 'results.md'), `${preface}\n${document}`)
  const readme = join(import.meta.dirname, '../README.md')
  const text = readFileSync(readme, 'utf8')
  writeFileSync(
    readme,
    text.replace(
      inReadme,
      `$1\n\n${toShortTable(kept.filter(({ row }) => shown.includes(row.name)))}\n\n$2`,
    ),
  )
}

function check() {
  const lost = results.filter(({ row, result }) => isSlower(row, committed.rows[row.name], result))
  for (const { row, result } of lost) {
    const was = committed.rows[row.name].ratios[row.goal.against]
    const is = result.ratios[row.goal.against]
    console.error(
      `${row.name} was ${was} of ${row.goal.against}, is ${is?.toPrecision(3) ?? 'nothing'}.`,
    )
  }
  return lost.length === 0
}

function readResults() {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { rows: {} }
}

/** Rounds to three digits, which is more than the precision of the measurements. */
function round(result) {
  const text = JSON.stringify(result, (_key, value) =>
    typeof value === 'number' ? Number(value.toPrecision(3)) : value,
  )
  return JSON.parse(text)
}

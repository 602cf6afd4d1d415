// Prints the results as a table, for the terminal, `bench/results.md` and the README.

import { cpus, release, totalmem, type } from 'node:os'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { generator } from './load.js'
import { isQuiet } from './rounds.js'

const columns = [
  ['floor', 'floor'],
  ['json-server-0', 'json-server 0.17'],
  ['json-server-1', 'json-server 1'],
  ['fakerest', 'FakeRest'],
  ['sqlite', 'node:sqlite'],
  ['other', 'other'],
]
const ownColumns = ['Fixtura', '50 %, 99 % within']
const others = {
  before: 'the build before',
  small: '1,000 records',
  holder: 'bare process',
  core: 'one core',
  bare: 'read and parse',
  constant: 'constant handler',
  parse: 'JSON.parse',
  'fixtura-worker': 'worker',
  'better-sqlite3': 'better-sqlite3',
  'supabase-lite': '@supabase/lite',
  'json-graphql-server': 'json-graphql-server',
  'json-api-serializer': 'json-api-serializer',
  rest: 'the dialect `rest`',
}

/** The text above the table in `bench/results.md`. */
export const preface = `# Results

Written by \`npm run bench\`. The column Fixtura is the result of this machine. Every other column is the
speed of Fixtura divided by the speed of that side: both were measured alternately in the same run, and
the ratio is the median over the rounds. The times within which half and 99 % of Fixtura's responses came
are those of one load of 10 s with 32 connections. In the rows for memory, shape, many files and MSW the ratio is a cost: the memory
or time of Fixtura divided by that of the other side. The floor is a \`node:http\` server that writes the same
status, headers and bytes from a constant Buffer. FakeRest has no server and is compared with
\`mock.fetch\` in one process. Rows are also measured one by one, some on
another machine than the one below: compare columns, not rows.
`

/** Whether a result meets the goal of its row. */
export function isMet({ goal }, { ratios, latency, broken }) {
  if (goal.isWatched) return !broken
  if (broken || latency?.p99 > goal.p99) return false
  const ratio = ratios[goal.against]
  if (ratio === undefined) return false
  return goal.atLeast === undefined ? ratio <= goal.atMost : ratio >= goal.atLeast
}

/** The table, its notes, the machine and the versions. */
export function toDocument(results, { machine, versions }) {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const environment = `Machine: ${machine}. Versions: ${names.join(', ')}.`
  const parts = [toTable(results), toNotes(results).join('\n'), environment]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

/** The table for the README, without goals and notes. */
export function toShortTable(results) {
  const head = ['what', ...ownColumns, ...columns.map(([, title]) => title)]
  const lines = results
    .filter(({ result }) => !result.failure)
    .map(({ row, result }) => [
      row.title,
      toRate(result),
      toLatency(result),
      ...columns.map(([name]) => toCell(name, result)),
    ])
  return align([head, head.map(() => '---'), ...lines])
}

/** The results as a Markdown table. */
function toTable(results) {
  const head = ['row', 'what', ...ownColumns, ...columns.map(([, title]) => title), 'goal', 'met']
  const lines = results.map(({ row, result }) => [
    row.name,
    row.title,
    ...(result.failure
      ? ['', '', ...columns.map(() => ''), toGoal(row), 'no']
      : [
          toRate(result),
          toLatency(result),
          ...columns.map(([name]) => toCell(name, result)),
          toGoal(row),
          isMet(row, result) ? 'yes' : '**no**',
        ]),
  ])
  return align([head, head.map(() => '---'), ...lines])
}

/** The notes to the rows of the table. */
function toNotes(results) {
  return results.flatMap(({ row, result }) => {
    const notes = result.failure
      ? [result.failure]
      : [...(result.notes ?? []), ...toCostNotes(result), ...toCpuNote(row, result)]
    return notes.map((note) => `- ${row.name}: ${note}`)
  })
}

/** A note for each other side, with the ratios by CPU time and of the 99th percentiles, where these were measured. */
function toCostNotes({ ratios, cpuRatios, p99Ratios = {} }) {
  return Object.entries(p99Ratios).map(
    ([name, p99]) =>
      `${toNumber(ratios[name])} × ${name}, ${toNumber(cpuRatios[name])} by CPU time; 99th percentile ${toNumber(p99)} of its`,
  )
}

/** A note to a row that other programs disturbed, with the ratio by CPU time, which they affect less. */
function toCpuNote({ goal: { against } }, result) {
  if (isQuiet(result)) return []
  const ratio = result.cpuRatios?.[against]
  const other = ratio > 0 ? `; ${toNumber(ratio)} × ${toName(against)} by CPU time` : ''
  return [`disturbed: other programs used up to ${toNumber(result.foreign)} cores${other}`]
}

/** The machine and the versions of the measured programs. */
export function toEnvironment() {
  const [{ model }] = cpus()
  const version = (name) =>
    JSON.parse(
      readFileSync(join(import.meta.dirname, '../../node_modules', name, 'package.json'), 'utf8'),
    ).version
  return {
    machine: `${model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}`,
    versions: {
      Node: process.versions.node,
      load: generator,
      'json-server 0': version('json-server'),
      'json-server 1': version('json-server-v1'),
      FakeRest: version('fakerest'),
      msw: version('msw'),
    },
  }
}

function toRate({ rates, unit }) {
  return `${toNumber(rates.fixtura)} ${unit}`.replace(' /s', '/s')
}

function toLatency({ latency }) {
  return latency ? `${toNumber(latency.p50)}, ${toNumber(latency.p99)} ms` : '–'
}

function toGoal({ goal }) {
  const name = toName(goal.against)
  if (goal.isWatched) return `watched, × ${name}`
  const ratio =
    goal.atLeast === undefined ? `≤ ${goal.atMost} × ${name}` : `≥ ${goal.atLeast} × ${name}`
  return goal.p99 ? `${ratio}, 99 % within ${goal.p99} ms` : ratio
}

function toName(side) {
  return others[side] ?? columns.find(([name]) => name === side)?.[1]
}

function toCell(column, { ratios }) {
  if (column !== 'other') return ratios[column] === undefined ? '–' : toNumber(ratios[column])
  const name = Object.keys(others).find((other) => ratios[other] !== undefined)
  return name ? `${toNumber(ratios[name])} (${others[name]})` : '–'
}

function toNumber(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toPrecision(value < 1 ? 2 : 3)
}

function align(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)))
  return lines
    .map(
      (line) =>
        `| ${line.map((cell, at) => cell.padEnd(widths[at], cell === '---' ? '-' : ' ')).join(' | ')} |`,
    )
    .join('\n')
}

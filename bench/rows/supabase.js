// Rows beside @supabase/lite, a Supabase in one process, over its main database, SQLite; the notes have those over
// PGlite, which is PostgreSQL. All rows are measured together, as the other side takes long to start.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { findNode24, findSupabaseLite } from '../lib/node-24.js'

const script = join(import.meta.dirname, '../servers/supabase.js')

/** The rows of the table. */
export const supabaseRows = [
  ['start', 'Supabase: start with 10,000 rows, in process', 1],
  ['record', 'Supabase: one record of 10,000, in process', 1],
  ['page', 'Supabase: filtered page of 20 of 10,000 with an embed, in process', 1],
  ['insert', 'Supabase: insert into 10,000, in process', 1],
].map(([name, title, atLeast]) => ({
  name: `supabase-${name}`,
  title,
  goal: { against: 'supabase-lite', atLeast },
  run: async (bench) => toResult((await (measured ??= measureAll(bench)))[name]),
}))

/** The results of this run, by row. */
let measured

async function measureAll({ rounds, seconds, alone }) {
  const lite = alone ? undefined : findSupabaseLite()
  const input = JSON.stringify({ lite, rounds, seconds: seconds / 2 })
  const { stdout } = await promisify(execFile)(await findNode24(), [script, input], {
    maxBuffer: 1e8,
  })
  return JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('{')))
}

function toResult({ ratios, ...rest }) {
  const { 'supabase-lite-pglite': pglite, ...own } = ratios
  const notes = pglite ? [`${pglite.toPrecision(3)} × supabase-lite over PGlite`] : []
  return { ...rest, ratios: own, notes }
}

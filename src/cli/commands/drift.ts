import { MockError } from '../../core/errors/mock-error.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { isSpan, toMilliseconds } from '../../core/time/duration.ts'
import { type DriftOptions, findDrift, type Drift } from '../../drift/find-drift.ts'
import { updateFixtures, type UpdateResult } from '../../drift/update-fixtures.ts'
import { loadFrom } from '../../load/load-mock.ts'
import { isProgram } from '../../loader/read/read-file.ts'
import { readState } from '../../record/files/state.ts'
import type { FileSource } from '../../loader/watch/file-source.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { toHeader, toTexts } from '../arguments/option-values.ts'
import { usageError } from '../arguments/usage-errors.ts'
import { toPrintableLines, toPrintable } from '../output/printable.ts'
import { describeProblem } from '../output/problems.ts'
import type { Terminal } from '../output/terminal.ts'
import { readConfig } from './config.ts'
import { describeDifference, type Difference } from '../../core/drift/difference.ts'
import { countOf } from '../../core/text/count-of.ts'

/**
 * `mock drift`: compares the fixtures with an API, a document or a recording, and updates them with
 * `--update`. The exit code is 0 without a difference, 1 with one, and 2 if something could not be compared.
 */
export async function runDrift(args: Arguments, terminal: Terminal): Promise<number> {
  try {
    return await compare(args, terminal)
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    const { printError, errorPaint } = terminal
    // The problems of fixtures are printed already.
    if (error.code !== 'FIXTURES_INVALID') {
      printError(errorPaint.red(toPrintableLines(error.message)))
    }
    return codes.notCompared
  }
}

/** The exit codes of `mock drift`. */
const codes = { same: 0, drift: 1, notCompared: 2 } as const

/** Compares the fixtures, updates them with `--update`, and prints the result. Returns the exit code. */
async function compare(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, print, printError, errorPaint } = terminal
  const { values } = args
  const [source, ...paths] = args.paths
  checkSource(source)
  const isUpdate = values['update'] === true
  const config = await readConfig({ ...args, paths }, io)
  const { mock, source: files } = await loadFrom<Record<string, unknown>>(
    { ...config, persist: isUpdate },
    { onProblem: (problem) => printError(describeProblem(problem, errorPaint)) },
  )
  const internals = internalsOf(mock)
  const states = await Promise.all(config.fixtures.map(readState))
  const listOnly = states.flatMap((state) => state.listOnly)
  const compared = { internals, fetch: mock.fetch, listOnly }
  try {
    const drift = await findDrift(compared, { source, cwd: io.cwd(), ...toOptions(args) })
    const updated = isUpdate
      ? await updateFixtures({ ...compared, isWritable: writableIn(files) }, drift)
      : undefined
    if (values['json'] === true) print(toJsonReport(drift, updated))
    else if (updated) print(describeUpdate(drift, updated, terminal))
    else print(describeDrift(drift, terminal))
    const left = updated ? updated.left.length : drift.differences.length
    if (left > 0) return codes.drift
    return drift.skipped.some(({ isUnseen }) => !isUnseen) ? codes.notCompared : codes.same
  } finally {
    await internals.background?.finish()
  }
}

function toOptions({ values }: Arguments): Omit<DriftOptions, 'source' | 'cwd'> {
  const pages = Number(values['pages'] ?? 3)
  if (!Number.isSafeInteger(pages) || pages < 1) {
    throw usageError(
      `Failed to read --pages: "${String(values['pages'])}" is no number of pages. Please give a whole number above 0.`,
    )
  }
  return {
    headers: Object.fromEntries(toTexts(values['header']).map(toHeader)),
    ignore: toTexts(values['ignore']),
    pages,
    members: 3,
    timeout: toTimeout(String(values['timeout'] ?? '10s')),
  }
}

/** Whether the fixtures of a resource are in a file that can be written, which a module cannot. */
function writableIn({ scanner }: FileSource): (name: string) => boolean {
  const modules = [...scanner.current().files.values()].filter(isProgram)
  const computed = new Set(modules.flatMap(({ sources }) => sources.map(({ name }) => name)))
  return (name) => !computed.has(name)
}

function checkSource(source: string | undefined): asserts source is string {
  if (source === undefined) {
    throw usageError(
      'Failed to compare: there is nothing to compare with. Please write "npx fixtura drift https://api.example.com", or give the path of an OpenAPI document or a recording (HAR).',
    )
  }
  if (/^https?:/i.test(source) && !URL.canParse(source)) {
    throw usageError(
      `Failed to compare with "${source}": it is no URL. Please write "npx fixtura drift https://api.example.com".`,
    )
  }
}

function toTimeout(text: string): number {
  if (isSpan[0](text)) return toMilliseconds(text)
  throw usageError(
    `Failed to read --timeout: "${text}" is not a duration. Please give ${isSpan[1]}.`,
  )
}

/** The lines of `mock drift`: a line a difference, the resources that were not compared, and a summary. */
function describeDrift(drift: Drift, terminal: Terminal): string {
  const lines = drift.differences.map((one) =>
    toLine(one.path, describeDifference(one), one.seen, terminal),
  )
  return [...lines, ...describeRest(drift, terminal), summarize(drift, terminal)].join('\n')
}

/** The lines of `mock drift --update`: the changes, what is left, and the resources that were not compared. */
function describeUpdate(drift: Drift, updated: UpdateResult, terminal: Terminal): string {
  const { green, yellow } = terminal.paint
  const done = updated.done.map(({ difference, text }) =>
    toLine(difference.path, text, 'updated', terminal),
  )
  const left = updated.left.map(({ difference, reason }) =>
    toLine(difference.path, `${describeDifference(difference)}: ${reason}`, 'left', terminal),
  )
  const summary = `${countOf(updated.done.length, 'difference')} updated, ${updated.left.length} left.`
  const paint = updated.left.length > 0 ? yellow : green
  return [...done, ...left, ...describeRest(drift, terminal), paint(summary)].join('\n')
}

/** Returns what `mock drift --json` prints. */
function toJsonReport(drift: Drift, updated: UpdateResult | undefined): string {
  const { differences, compared, skipped, notes } = drift
  const report = {
    differences,
    compared,
    skipped,
    notes,
    ...(updated && {
      updated: updated.done.map(({ difference, text }) => ({ path: difference.path, text })),
      left: updated.left.map(({ difference, reason }) => ({ path: difference.path, reason })),
    }),
  }
  return JSON.stringify(report, null, 2)
}

/** A line: the path, the text, and a note; on a narrow terminal, the text and the note get lines of their own. */
function toLine(path: string, text: string, note: string, { paint, columns }: Terminal): string {
  const [place, words, end] = [path, text, note].map(toPrintable) as [string, string, string]
  const isLong = place.length + words.length + end.length + 5 > columns
  return isLong
    ? `${paint.bold(place)}\n  ${words}\n  ${paint.dim(end)}`
    : `${paint.bold(place)}: ${words} ${paint.dim(`(${end})`)}`
}

function describeRest({ skipped, notes }: Drift, { paint }: Terminal): string[] {
  const resources = skipped.map(
    ({ resource, reason }) => `Not compared: ${toPrintable(resource)}, as ${toPrintable(reason)}.`,
  )
  return [...resources, ...notes.map(toPrintable)].map(paint.yellow)
}

function summarize({ differences, compared }: Drift, { paint }: Terminal): string {
  const resources = countOf(compared.length, 'resource')
  if (differences.length === 0) return paint.green(`No differences in ${resources}.`)
  const changed = new Set(differences.flatMap(({ resource }: Difference) => resource ?? []))
  const share = changed.size > 0 ? ` in ${changed.size} of ${resources}` : ''
  return paint.red(`${countOf(differences.length, 'difference')}${share}.`)
}

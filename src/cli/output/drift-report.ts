import { describeDifference, type Difference } from '../../core/drift/difference.ts'
import { countOf } from '../../core/text/count-of.ts'
import type { Drift } from '../../drift/find-drift.ts'
import type { UpdateResult } from '../../drift/update-fixtures.ts'
import { toPrintable } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** The lines of `mock drift`: a line a difference, the resources that were not compared, and a summary. */
export function describeDrift(drift: Drift, terminal: Terminal): string {
  const lines = drift.differences.map((one) =>
    toLine(one.path, describeDifference(one), one.seen, terminal),
  )
  return [...lines, ...describeRest(drift, terminal), summarize(drift, terminal)].join('\n')
}

/** The lines of `mock drift --update`: the changes, what is left, and the resources that were not compared. */
export function describeUpdate(drift: Drift, updated: UpdateResult, terminal: Terminal): string {
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
export function toJsonReport(drift: Drift, updated: UpdateResult | undefined): string {
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

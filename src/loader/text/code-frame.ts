import { lowerBound } from '../../core/structures/lower-bound.ts'

/** A place in a text. Both count from 1; a column is one UTF-16 unit. */
export interface Place {
  line: number
  column: number
}

/** A text whose lines have been found once, so that many places in it cost little. */
export interface TextMap {
  /** The line and column of an offset; CRLF, LF and CR all end a line. */
  place(offset: number): Place
  /** The lines around a place, numbered, with a marker under the column; long lines are cut around it. */
  frame(place: Place): string
}

/** Maps the offsets of a text to places and code frames. */
export function createTextMap(text: string): TextMap {
  const starts = [
    0,
    ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length),
  ]
  const lineAt = (number: number): string =>
    text.slice(starts[number - 1] ?? 0, starts[number] ?? text.length).replace(/[\r\n]+$/, '')

  return {
    place(offset) {
      const line = lowerBound(starts, offset + 1)
      return { line, column: offset - (starts[line - 1] ?? 0) + 1 }
    },
    frame(place) {
      const first = Math.max(1, place.line - CONTEXT)
      const last = Math.min(starts.length, place.line + CONTEXT)
      const width = String(last).length
      const cut = Math.max(0, place.column - 1 - HALF)
      const rows: string[] = []
      for (let number = first; number <= last; number++) {
        const mark = number === place.line ? '>' : ' '
        const shown = window(lineAt(number), cut)
        rows.push(`${mark} ${String(number).padStart(width)} | ${shown}`.trimEnd())
        if (number !== place.line) continue
        const before = shown.slice(0, place.column - 1 - cut + (cut > 0 ? 1 : 0))
        // Tabs stay tabs, so that the marker stands under its column however wide they are shown.
        rows.push(`  ${' '.repeat(width)} | ${before.replaceAll(/[^\t]/g, ' ')}^`)
      }
      return rows.join('\n')
    },
  }
}

const CONTEXT = 2
const HALF = 60

function window(line: string, cut: number): string {
  const part = line.slice(cut, cut + 2 * HALF)
  return `${cut > 0 ? '…' : ''}${part}${cut + 2 * HALF < line.length ? '…' : ''}`
}

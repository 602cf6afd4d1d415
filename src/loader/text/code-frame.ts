import { lowerBound } from '../../core/structures/lower-bound.ts'

/** Creates the functions that show a place in a text: from an offset to line and column, and to a code frame. */
export function createTextMap(text: string): TextMap {
  const breaks = Array.from(text.matchAll(/\r\n|\n|\r/g), ({ 0: end, index }) => ({ end, index }))
  const starts = [0, ...breaks.map(({ end, index }) => index + end.length)]
  /** A part of a line from a column on, with an ellipsis wherever the line was cut. */
  const cutLine = (number: number, from: number): string => {
    const end = breaks[number - 1]?.index ?? text.length
    const start = (starts[number - 1] ?? 0) + from
    const stop = start + 2 * CONTEXT_COLUMNS
    return `${from > 0 ? '…' : ''}${text.slice(start, Math.min(stop, end))}${stop < end ? '…' : ''}`
  }

  return {
    position(offset) {
      const line = lowerBound(starts, offset + 1)
      return { line, column: offset - (starts[line - 1] ?? 0) + 1 }
    },
    frame(position) {
      const first = Math.max(1, position.line - CONTEXT_LINES)
      const last = Math.min(starts.length, position.line + CONTEXT_LINES)
      const width = String(last).length
      const cut = Math.max(0, position.column - 1 - CONTEXT_COLUMNS)
      const rows: string[] = []
      for (let number = first; number <= last; number++) {
        const mark = number === position.line ? '>' : ' '
        const visible = cutLine(number, cut)
        rows.push(`${mark} ${String(number).padStart(width)} | ${visible}`.trimEnd())
        if (number !== position.line) continue
        const before = visible.slice(0, position.column - 1 - cut + (cut > 0 ? 1 : 0))
        // The marker's line repeats the tabs, so that the marker aligns at every tab width.
        rows.push(`  ${' '.repeat(width)} | ${before.replaceAll(/[^\t]/g, ' ')}^`)
      }
      return rows.join('\n')
    },
  }
}

/** A text with the offsets of its lines, which are computed once for all positions. */
export interface TextMap {
  /** The line and column of an offset. CRLF, LF and CR end a line. */
  position(offset: number): Position
  /** The numbered lines around a position, with a marker under the column; long lines are cut. */
  frame(position: Position): string
}

/** A place in a text: line and column from 1. A column is one UTF-16 code unit. */
export interface Position {
  line: number
  column: number
}

/** The lines before and after the position, and the columns on either side of it. */
const CONTEXT_LINES = 2
const CONTEXT_COLUMNS = 60

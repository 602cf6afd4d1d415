import type { Io } from '../io.ts'
import { createPaint, type Paint } from './paint.ts'

/** Where a command prints. */
export interface Terminal {
  io: Io
  /** The colours of what is said. */
  paint: Paint
  /** The colours of what is wrong. */
  errorPaint: Paint
  /** How wide lines may be, 80 where a terminal does not know; without end where nobody reads along. */
  columns: number
  /** Prints a text as lines. */
  say(text: string): void
  /** Prints a text as lines to where errors go. */
  complain(text: string): void
}

/** Prints to the streams of a process. */
export function createTerminal(io: Io): Terminal {
  // Whoever reads along may go, as `head` does; that is no reason to end.
  for (const output of [io.stdout, io.stderr]) output.on?.('error', () => undefined)
  return {
    io,
    paint: createPaint(io.stdout, io.env),
    errorPaint: createPaint(io.stderr, io.env),
    get columns() {
      return io.stdout.isTTY === true ? io.stdout.columns || 80 : Infinity
    },
    say: (text) => void io.stdout.write(`${text}\n`),
    complain: (text) => void io.stderr.write(`${text}\n`),
  }
}

import type { Io } from '../io.ts'
import { createPaint, type Paint } from './paint.ts'

/**
 * The output of a command: the functions that print to standard output and standard error, with the colours
 * and the width of the terminal.
 */
export interface Terminal {
  io: Io
  /** The styles of standard output. */
  paint: Paint
  /** The styles of standard error. */
  errorPaint: Paint
  /** The width in characters: 80 if the terminal reports none, Infinity without a terminal. */
  columns: number
  /** Prints a text and a line feed to standard output. */
  print(text: string): void
  /** Prints a text and a line feed to standard error. */
  printError(text: string): void
}

/** Creates the output of a command from the streams of a process. */
export function createTerminal(io: Io): Terminal {
  // A reader such as `head` may close the pipe; the server goes on.
  for (const output of [io.stdout, io.stderr]) output.on?.('error', () => undefined)
  return {
    io,
    paint: createPaint(io.stdout, io.env),
    errorPaint: createPaint(io.stderr, io.env),
    get columns() {
      return io.stdout.isTTY === true ? io.stdout.columns || 80 : Infinity
    },
    print: (text) => void io.stdout.write(`${text}\n`),
    printError: (text) => void io.stderr.write(`${text}\n`),
  }
}

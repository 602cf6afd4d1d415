import type { Io, Output } from '../io.ts'
import { commandNames } from '../arguments/commands.ts'
import { placesOf } from './help-places.ts'

/** How a command prints: text for standard output and standard error, their styles, and the width of the terminal. */
export interface Terminal {
  io: Io
  /** The styles of standard output. */
  paint: Paint
  /** The styles of standard error. */
  errorPaint: Paint
  /** The width in characters: 80 if the terminal reports none, Infinity without a terminal. */
  columns: number
  /** The program by the name that the user typed, for messages on standard output. */
  commands: TypedCommands
  /** Prints a text and a line feed to standard output. */
  print(text: string): void
  /** Prints a message and a line feed to standard error, with {@link help}; its commands have the name that the user typed. */
  printError(text: string): void
  /** A line for each place of the documentation that explains a message in the text: once a process, and on a terminal alone. */
  help(text: string, output: Output): string
}

/** Creates the terminal of a command from the streams of a process. */
export function createTerminal(io: Io): Terminal {
  // A reader such as `head` may close the pipe; the server goes on.
  for (const output of [io.stdout, io.stderr]) output.on?.('error', () => undefined)
  const commands = createTypedCommands(io.argv?.[1] ?? '')
  const explained = new Set<string>()
  const help: Terminal['help'] = (text, output) => {
    const places = output.isTTY ? placesOf(text).filter((place) => !explained.has(place)) : []
    for (const place of places) explained.add(place)
    return places.map((place) => `\n${createPaint(output, io.env).dim(`See ${place}`)}`).join('')
  }
  return {
    io,
    commands,
    paint: createPaint(io.stdout, io.env),
    errorPaint: createPaint(io.stderr, io.env),
    get columns() {
      return io.stdout.isTTY === true ? io.stdout.columns || 80 : Infinity
    },
    print: (text) => void io.stdout.write(`${text}\n`),
    printError: (text) => void io.stderr.write(`${commands.write(text)}${help(text, io.stderr)}\n`),
    help,
  }
}

/** Creates the styles of a stream: ANSI codes on a terminal unless `NO_COLOR` (no-color.org) is set, else none. */
export function createPaint({ isTTY }: Output, env: Io['env']): Paint {
  const isColoured = isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const entries = Object.entries(styles).map(([style, [on, off]]) => [
    style,
    (text: string) => (isColoured ? `\u001B[${on}m${text}\u001B[${off}m` : text),
  ])
  return Object.fromEntries(entries) as Paint
}

/** Functions that style text, or return it unchanged if colours are off. */
export type Paint = Readonly<Record<Style, (text: string) => string>>

/** The name of a style. */
export type Style = keyof typeof styles

const styles = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

/**
 * Creates a function that writes the commands of a message with the name by which the user started the program:
 * `npx mock init` for a project that has it, `mock init` for a global installation. `path` is the started file,
 * which npm links under each name of the program; other starts, such as those of Windows, keep the messages.
 */
function createTypedCommands(path: string): TypedCommands {
  const name = nameOf(path)
  if (name === undefined) return { name: 'mock', write: (text) => text }
  // The registry has another package by the name `mock`, which npx would take.
  const called = /[\\/]_npx[\\/]/.test(path) ? 'fixtura' : name
  const prefix = /[\\/]\.bin[\\/]/.test(path) ? 'npx ' : ''
  return {
    name,
    write: (text) =>
      text.replaceAll(mentioned, (mention) =>
        mention.startsWith('npx ') ? `${prefix}${called}` : name,
      ),
  }
}

interface TypedCommands {
  name: string
  write(text: string): string
}

function nameOf(path: string): string | undefined {
  return /[\\/](mock|fixtura)$/.exec(path)?.[1]
}

/** The program in a command of a message, such as `npx fixtura init` or "mock server". */
const mentioned = new RegExp(
  `(?:\\bnpx (?:fixtura|mock)|(?<=["\`])mock)(?= (?:${commandNames.join('|')})\\b)`,
  'g',
)

import { toMessage } from '../core/errors/error-details.ts'
import { MockError } from '../core/errors/mock-error.ts'
import type { Arguments } from './arguments/arguments.ts'
import type { Io } from './io.ts'
import type { CommandName } from './arguments/options.ts'
import { toPrintableLines } from './output/printable.ts'
import { createTerminal, type Terminal } from './output/terminal.ts'
import { parseArguments } from './arguments/parse-arguments.ts'

export type { Io } from './io.ts'

/**
 * Runs the command line and gives its exit code, once everything has ended. It never exits itself.
 * @example process.exitCode = await main(process.argv.slice(2), process)
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const terminal = createTerminal(io)
  try {
    const asked = await parseArguments(args, terminal.columns)
    if (!('text' in asked)) return await (await commands[asked.command]())(asked, terminal)
    terminal.say(asked.text)
    return 0
  } catch (error) {
    terminal.complain(terminal.errorPaint.red(toPrintableLines(toWords(error))))
    return 1
  }
}

type Run = (args: Arguments, terminal: Terminal) => Promise<number>

/** Each is loaded when it is asked for. */
const commands: Readonly<Record<CommandName, () => Promise<Run>>> = {
  server: async () => (await import('./commands/server.ts')).runServer,
  init: async () => (await import('./commands/init.ts')).runInit,
  check: async () => (await import('./commands/check.ts')).runCheck,
}

/** What nobody expected keeps its stack. */
function toWords(error: unknown): string {
  if (error instanceof MockError) return error.message
  if (toMessage(error).endsWith('uv_cwd')) {
    return 'Failed to read the working directory: it is no longer there. Please change to one that is.'
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

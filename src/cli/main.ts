import { toMessage } from '../core/errors/error-details.ts'
import { MockError } from '../core/errors/mock-error.ts'
import type { Arguments } from './arguments/parse-arguments.ts'
import type { Io } from './io.ts'
import type { CommandName } from './arguments/commands.ts'
import { toPrintableLines } from './output/printable.ts'
import { createTerminal, type Terminal } from './output/terminal.ts'
import { parseArguments } from './arguments/parse-arguments.ts'

export type { Io } from './io.ts'

/**
 * Runs a command line. Resolves to the exit code when the command has ended; never exits the process.
 * @example process.exitCode = await main(process.argv.slice(2), process)
 */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const terminal = createTerminal(io)
  try {
    const parsed = await parseArguments(args, terminal.columns, terminal.commands.name)
    if ('text' in parsed) {
      terminal.print(parsed.text)
      return 0
    }
    const run = await commands[parsed.command]()
    return await run(parsed, terminal)
  } catch (error) {
    terminal.printError(terminal.errorPaint.red(toPrintableLines(describeError(error))))
    return 1
  }
}

type Run = (args: Arguments, terminal: Terminal) => Promise<number>

/** Loads a command when it is used, so that others do not slow the start. */
const commands: Readonly<Record<CommandName, () => Promise<Run>>> = {
  server: async () => (await import('./commands/server.ts')).runServer,
  init: async () => (await import('./commands/init.ts')).runInit,
  check: async () => (await import('./commands/check.ts')).runCheck,
  openapi: async () => (await import('./commands/describe.ts')).runOpenApi,
  types: async () => (await import('./commands/describe.ts')).runTypes,
  generate: async () => (await import('./commands/generate.ts')).runGenerate,
  import: async () => (await import('./commands/import.ts')).runImport,
  record: async () => (await import('./commands/record.ts')).runRecord,
  drift: async () => (await import('./commands/drift.ts')).runDrift,
  mcp: async () => (await import('./commands/mcp.ts')).runMcp,
}

/** The message of an expected error; unexpected errors keep their stack. */
function describeError(error: unknown): string {
  if (error instanceof MockError) return error.message
  if (toMessage(error).endsWith('uv_cwd')) {
    return 'Failed to read the working directory: it no longer exists. Please change to another folder.'
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

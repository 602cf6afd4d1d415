import { resolve } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'
import { loadFrom } from '../../load/load-mock.ts'
import { createTypesText, writeTypes } from '../../load/types-file.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import type { Arguments } from '../arguments/arguments.ts'
import { describeProblem } from '../output/problems.ts'
import { toPrintable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { readConfig } from './config.ts'

/**
 * `mock types`: prints the types of the fixtures to standard output, or writes them to the file that `--out`
 * names, if they have changed. Problems of fixtures go to standard error; the exit code is 1 after an error.
 */
export async function runTypes(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, print, printError, paint, errorPaint } = terminal
  // Without the lock that `persist` takes, the command also runs beside a server that persists.
  const config = { ...(await readConfig(args, io)), persist: false }
  const { out } = args.values
  try {
    const { mock } = await loadFrom<Record<string, unknown>>(config, {
      onProblem: (problem) => printError(describeProblem(problem, errorPaint)),
    })
    const text = createTypesText(mock)()
    if (typeof out !== 'string') {
      print(text.trimEnd())
      return 0
    }
    const path = resolve(io.cwd(), out)
    const isWritten = await writeTypes(path, text, io.cwd())
    const label = toPrintable(toLabel(path, io.cwd()))
    print(isWritten ? `${paint.green('wrote')}  ${label}` : `${paint.dim('kept ')}  ${label}`)
    return 0
  } catch (error) {
    if (error instanceof MockError && error.code === 'FIXTURES_INVALID') return 1
    throw error
  }
}

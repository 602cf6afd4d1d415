import { MockError } from '../../core/errors/mock-error.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { toPrintableLines } from '../output/printable.ts'
import { describeProblem } from '../output/problems.ts'
import { printRequests } from '../output/log-line.ts'
import type { Terminal } from '../output/terminal.ts'
import { loadServed, serveOnFreePort } from '../session/serve-fixtures.ts'
import { createShutdown } from '../session/shutdown.ts'
import { readConfig } from './config.ts'

/** `mock server`: serves fixtures until a signal or a key stops it. */
export async function runServer(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, paint, errorPaint, printError } = terminal
  const config = await readConfig(args, io)
  const print = config.quiet ? () => undefined : terminal.print
  // With `persist`, signals are handled before loading takes the lock, so that the lock is always
  // released. Without it, a signal still ends the process while a fixture module loads forever.
  let shutdown = config.persist ? createShutdown(io) : undefined
  try {
    const mock = await loadServed(config, {
      onProblem: (problem) => printError(describeProblem(problem, errorPaint)),
      onMended: (file) => print(paint.green(`Fixed: ${toPrintableLines(file)} is written again.`)),
    })
    if (!mock) return 1
    shutdown ??= createShutdown(io)
    if (!config.quiet) mock.onRequest(printRequests(terminal))
    const serving = await serveOnFreePort(mock, config, print)
    try {
      const { runSession } = await import('../session/run-session.ts')
      const session = { mock, config, serving, shutdown, terminal, print, printError }
      const endSession = await runSession(session)
      await shutdown.requested
      await endSession()
    } finally {
      await serving.close()
    }
    return 0
  } catch (error) {
    // `onProblem` has reported the writes that the files do not have.
    if (error instanceof MockError && error.code === 'WRITES_UNSAVED') return 1
    throw error
  } finally {
    shutdown?.release()
  }
}

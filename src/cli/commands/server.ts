import { toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { toPrintableLines } from '../output/printable.ts'
import { describeProblem } from '../output/problems.ts'
import { printRequests } from '../output/log-line.ts'
import type { Terminal } from '../output/terminal.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import { type Configured, replaceMock } from '../session/replace-mock.ts'
import { loadServed, type ServedMock, serveOnFreePort } from '../session/serve-fixtures.ts'
import { createShutdown } from '../session/shutdown.ts'
import { createConfigWatch } from '../session/watch-config.ts'
import { filesOf } from '../../load/load-mock.ts'
import { namedConfigOf, readConfig } from './config.ts'

/** `mock server`: serves fixtures until a signal or a key stops it, with the configuration as it is saved. */
export async function runServer(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, paint, errorPaint, printError } = terminal
  const watched = await createConfigWatch(io.cwd(), namedConfigOf(args))
  const config = await readConfig(args, io)
  if (args.values['list'] === true) {
    const { listOperations } = await import('../output/operations.ts')
    return listOperations(config, terminal)
  }
  const print = config.quiet ? () => undefined : terminal.print
  const reportError = (error: unknown): void => {
    printError(errorPaint.red(toPrintableLines(toMessage(error))))
  }
  const load = async (next: ResolvedConfig): Promise<ServedMock | undefined> => {
    const mock = await loadServed(next, {
      onProblem: (problem) => printError(describeProblem(problem, errorPaint)),
      onMended: (file) => print(paint.green(`Fixed: ${toPrintableLines(file)} is written again.`)),
    })
    if (!next.quiet) mock?.onRequest(printRequests(terminal))
    return mock
  }
  // With `persist`, signals are handled before loading takes the lock, so that the lock is always
  // released. Without it, a signal still ends the process while a fixture module loads forever.
  let shutdown = config.persist ? createShutdown(io) : undefined
  try {
    const mock = await load(config)
    if (!mock) return 1
    const stopper = (shutdown ??= createShutdown(io))
    const serving = await serveOnFreePort(mock, config, print)
    try {
      const { runSession } = await import('../session/run-session.ts')
      let current: Configured = { mock, config }
      let url = serving.url
      // The process starts at 0.
      let startedAt = 0
      const startSession = (): Promise<() => Promise<void>> => {
        const session = { ...current, startedAt, shutdown: stopper, terminal, print, printError }
        return runSession({ ...session, serving: { ...serving, url } })
      }
      let endSession = await startSession()
      const update = async (): Promise<void> => {
        const next = await readConfig(args, io).catch(reportError)
        if (!next) return
        startedAt = performance.now()
        await endSession()
        const replaced = await replaceMock(serving, current, next, load).catch(reportError)
        // With `persist`, the old mock does not write any more.
        if (!replaced && current.config.persist) return stopper.request()
        if (replaced) ({ current, url } = replaced)
        if (replaced?.failure !== undefined) reportError(replaced.failure)
        if (replaced?.isReplaced) print(paint.green('Reloaded: the configuration.'))
        endSession = await startSession()
      }
      const stopWatch =
        config.watch === false
          ? undefined
          : await watched.start(update, {
              poll: config.poll,
              files: () => filesOf(current.mock)?.openapi?.files ?? [],
            })
      await stopper.requested
      await stopWatch?.()
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

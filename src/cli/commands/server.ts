import { MockError } from '../../core/errors/mock-error.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { type Loaded, loadFrom, type LoadMockOptions } from '../../load/load-mock.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import { serve, type Serving } from '../../faces/node/serve.ts'
import type { Arguments } from '../arguments/arguments.ts'
import { toPrintableLines } from '../output/printable.ts'
import { describeProblem } from '../output/problems.ts'
import { printRequests } from '../output/requests.ts'
import type { Terminal } from '../output/terminal.ts'
import { createStop } from '../session/stop.ts'
import { readConfig } from './config.ts'
import { readServeOptions } from './serve-options.ts'

/** `mock server`: serves fixtures until a signal or a key stops it. */
export async function runServer(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, paint, errorPaint, printError } = terminal
  const config = await readConfig(args, io)
  const print = config.quiet ? () => undefined : terminal.print
  // With `persist`, signals are handled before loading takes the lock, so that the lock is always
  // released. Without it, a signal still ends the process while a fixture module loads forever.
  let stop = config.persist ? createStop(io) : undefined
  try {
    const mock = await load(config, {
      onProblem: (problem) => printError(describeProblem(problem, errorPaint)),
      onMended: (file) => print(paint.green(`Fixed: ${toPrintableLines(file)} is written again.`)),
    })
    if (!mock) return 1
    stop ??= createStop(io)
    if (!config.quiet) mock.onRequest(printRequests(terminal))
    const serving = await listen(mock, config, print).catch(async (error: unknown) => {
      await internalsOf(mock).background?.finish()
      throw error
    })
    try {
      const { runSession } = await import('../session/run-session.ts')
      const session = { mock, config, serving, stop, terminal, print, printError }
      const endSession = await runSession(session)
      await stop.requested
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
    stop?.release()
  }
}

type ServedMock = Loaded<Record<string, unknown>>['mock']

/** Loads the mock; undefined where fixtures are invalid, which `onProblem` has reported. */
async function load(
  config: ResolvedConfig,
  options: LoadMockOptions,
): Promise<ServedMock | undefined> {
  try {
    const loaded = await loadFrom<Record<string, unknown>>(config, {
      ...options,
      toleratesEmpty: true,
    })
    return loaded.mock
  } catch (error) {
    if (error instanceof MockError && error.code === 'FIXTURES_INVALID') return undefined
    throw error
  }
}

/** Listens on the configured port, else on the first free port from the default on. */
async function listen(
  mock: ServedMock,
  config: ResolvedConfig,
  print: (text: string) => void,
): Promise<Serving> {
  const { port } = config
  const options = await readServeOptions(config)
  for (let tried = DEFAULT_PORT; ; tried++) {
    try {
      const serving = await serve(mock, { ...options, port: port ?? tried })
      if (tried > DEFAULT_PORT)
        print(`Port ${DEFAULT_PORT} is in use, so the server listens on ${tried}.`)
      return serving
    } catch (error) {
      const isTaken = error instanceof MockError && error.code === 'EADDRINUSE'
      if (!isTaken || port !== undefined || tried >= DEFAULT_PORT + 100) throw error
    }
  }
}

const DEFAULT_PORT = 3000

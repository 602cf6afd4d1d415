import { MockError } from '../../core/errors/mock-error.ts'
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

/** `mock server`: serves fixtures until it is asked to stop. */
export async function runServer(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, paint, errorPaint, complain } = terminal
  const config = await readConfig(args, io)
  const say = config.quiet ? () => undefined : terminal.say
  // Who has the lock of the fixtures gives it back. Without one a fixture that never ends may be broken off.
  let stop = config.persist ? createStop(io) : undefined
  try {
    const mock = await load(config, {
      onProblem: (problem) => complain(describeProblem(problem, errorPaint)),
      onMended: (file) => say(paint.green(`Mended: ${toPrintableLines(file)} is written again.`)),
    })
    if (!mock) return 1
    stop ??= createStop(io)
    if (!config.quiet) mock.onRequest(printRequests(terminal))
    const serving = await listen(mock, config, say).catch(async (error: unknown) => {
      await mock.background?.finish()
      throw error
    })
    try {
      const { attend } = await import('../session/run-session.ts')
      const leave = await attend({ mock, config, serving, stop, terminal, say, complain })
      await stop.asked
      await leave()
    } finally {
      await serving.close()
    }
    return 0
  } finally {
    stop?.release()
  }
}

type ServedMock = Loaded<Record<string, unknown>>['mock']

/** Loads the mock; where there is none, what is wrong with the files has been told. */
async function load(
  config: ResolvedConfig,
  options: LoadMockOptions,
): Promise<ServedMock | undefined> {
  try {
    return (await loadFrom<Record<string, unknown>>(config, options)).mock
  } catch (error) {
    if (error instanceof MockError && error.code === 'FIXTURES_INVALID') return undefined
    throw error
  }
}

/** Listens where it is told to, or on the next free port after the one that nobody chose. */
async function listen(
  mock: ServedMock,
  config: ResolvedConfig,
  say: (text: string) => void,
): Promise<Serving> {
  const { port } = config
  const options = await readServeOptions(config)
  for (let tried = DEFAULT_PORT; ; tried++) {
    try {
      const serving = await serve(mock, { ...options, port: port ?? tried })
      if (tried > DEFAULT_PORT) say(`Port ${DEFAULT_PORT} is taken, so this is ${tried}.`)
      return serving
    } catch (error) {
      const isTaken = error instanceof MockError && error.code === 'EADDRINUSE'
      if (!isTaken || port !== undefined || tried >= DEFAULT_PORT + 100) throw error
    }
  }
}

const DEFAULT_PORT = 3000

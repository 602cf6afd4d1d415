import { codeOf } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isPort } from '../../faces/node/serve-checks.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import { watch } from '../../load/watch.ts'
import type { FindMock } from '../../mcp/server.ts'
import type { Controllable } from '../../mcp/tool.ts'
import { connect, type ConnectOptions, openClient } from '../../remote/connect.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { toConfig } from '../arguments/to-config.ts'
import { usageError } from '../arguments/usage-errors.ts'
import { readConfig } from '../commands/config.ts'
import { addressesOf } from '../output/addresses.ts'
import { createPaint, type Terminal } from '../output/terminal.ts'
import { describeProblem } from '../output/problems.ts'
import { defaultPort } from './free-port.ts'
import { loadServed, serveOnFreePort } from './serve-fixtures.ts'
import type { SchemaObject } from '../../core/types/json-schema.ts'

/**
 * Creates the search of `mock mcp`: the mock at the given URL; without a URL or paths, one on the configured
 * port; else a mock of the fixtures, which is served when it is first needed.
 * @throws MockError when the URL or the session is wrong
 */
export function createMockFinder(args: Arguments, terminal: Terminal): MockFinder {
  const { paths, values } = args
  const session = typeof values['session'] === 'string' ? values['session'] : undefined
  const { token } = toConfig(args, terminal.io.env)
  const options: ConnectOptions = { session, token }
  const url = paths.find((path) => isUrl.test(path))
  if (url === undefined) return createLocalFinder(args, terminal, options)
  if (paths.length > 1) {
    throw usageError(
      `Failed to control "${url}": there are further paths. Please give the URL alone.`,
    )
  }
  const controlled = createControllable(url, options)
  return { find: () => Promise.resolve(controlled), close: () => Promise.resolve() }
}

/** The search for a mock; `close` ends the server that the search has started, if any. */
export interface MockFinder {
  find: FindMock
  close(): Promise<void>
}

/** Matches a URL, and a host with a port, which gets the advice to write it as a URL. */
const isUrl = /^(?:\w+:\/\/|[\w.-]+:\d+(?:$|\/))/

/** Creates the search for a mock on this machine: a mock that runs already, otherwise one that this process starts. */
function createLocalFinder(
  args: Arguments,
  terminal: Terminal,
  options: ConnectOptions,
): MockFinder {
  // Checks the options before the first use.
  connect('http://localhost', options)
  let started: Promise<StartedMock> | undefined
  return {
    async find() {
      if (started) return started
      const settings = await readSettings(args, terminal)
      const running = args.paths.length > 0 ? undefined : await findRunning(settings, options)
      if (running) return running
      const { config, error } = settings
      if (!config) throw error
      started ??= start(config, terminal, options).catch((error: unknown) => {
        // The next use tries again, as the user may have corrected the fixtures.
        started = undefined
        throw error
      })
      return started
    },
    close: async () => (await started)?.close(),
  }
}

interface StartedMock extends Controllable {
  close(): Promise<void>
}

/** The configuration, or the error of reading it, which matters only if no mock runs yet. */
interface Settings {
  config?: ResolvedConfig
  error?: unknown
  /** The port that the environment gives, as to `mock server`. */
  port: number | undefined
}

async function readSettings(args: Arguments, { io }: Terminal): Promise<Settings> {
  const inherited = Number(io.env['PORT']?.trim() || NaN)
  const port = isPort(inherited) ? inherited : undefined
  try {
    const config = await readConfig(args, io)
    return { config: { ...config, ...(port !== undefined && { port }) }, port }
  } catch (error) {
    return { error, port }
  }
}

async function findRunning(
  { config, port: inherited = defaultPort }: Settings,
  options: ConnectOptions,
): Promise<Controllable | undefined> {
  const { https = false, token = '', port = inherited }: Partial<ResolvedConfig> = config ?? {}
  const url = `${https === false ? 'http' : 'https'}://localhost:${port}`
  const withToken = { ...options, token: options.token ?? (token || undefined) }
  const probe = connect(url, {
    token: withToken.token,
    fetch: (address, init) => fetch(address, { ...init, signal: AbortSignal.timeout(probeMs) }),
  })
  try {
    await probe.state()
  } catch (error) {
    // The use of a tool reports a missing token, or a certificate that is not trusted.
    if (!['TOKEN_MISSING', 'MOCK_UNTRUSTED'].includes(codeOf(error))) return undefined
  }
  return createControllable(url, withToken)
}

/** The time for a mock to answer, in milliseconds. A port without a listener refuses at once. */
const probeMs = 10_000

async function start(
  config: ResolvedConfig,
  terminal: Terminal,
  options: ConnectOptions,
): Promise<StartedMock> {
  const { io, printError, errorPaint } = terminal
  const plain = createPaint({ write: () => undefined }, io.env)
  const problems: string[] = []
  const mock = await loadServed(config, {
    onProblem: (problem) => problems.push(describeProblem(problem, plain)),
  })
  if (!mock) {
    throw new MockError(`Failed to load the fixtures:\n${problems.join('\n')}`, {
      code: 'FIXTURES_INVALID',
    })
  }
  problems.forEach(printError)
  const serving = await serveOnFreePort(mock, config, printError)
  const [url = serving.url] = addressesOf(serving.url)
  printError(`Serving the fixtures at ${url}`)
  const watching =
    config.watch === false
      ? undefined
      : await watch(mock, undefined, {
          onProblem: (problem) => printError(describeProblem(problem, errorPaint)),
        })
  const { token = options.token } = serving
  return {
    ...createControllable(url, { ...options, token }),
    async close() {
      await watching?.close()
      await serving.close()
    },
  }
}

/** Connects to the running mock at a URL. @throws MockError when the URL or an option is wrong */
function createControllable(url: string, options: ConnectOptions): Controllable {
  const { send } = openClient(url, options)
  return {
    url,
    mock: connect(url, options),
    send,
    async readSchema(name) {
      const path = name.split('/').map(encodeURIComponent).join('/')
      try {
        return await send<SchemaObject>('GET', `schema/${path}.json`)
      } catch (error) {
        if (codeOf(error) === 'NOT_FOUND') return undefined
        throw error
      }
    },
  }
}

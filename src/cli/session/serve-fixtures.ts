import { MockError } from '../../core/errors/mock-error.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { serve, type Serving } from '../../faces/node/serve.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import { type Loaded, loadFrom, type LoadMockOptions } from '../../load/load-mock.ts'
import { startOnFreePort } from './free-port.ts'
import { readServeOptions } from './read-serve-options.ts'

/**
 * Loads the mock that `mock server` or `mock mcp` serves. Returns undefined if fixtures are invalid, which
 * `onProblem` has reported.
 */
export async function loadServed(
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

/**
 * Serves the mock on the configured port, otherwise on the first free port from 3000 on. If no server can
 * start, finishes the background work of the mock, such as persisting.
 */
export async function serveOnFreePort(
  mock: ServedMock,
  config: ResolvedConfig,
  print: (text: string) => void,
): Promise<Serving> {
  try {
    return await listen(mock, config, print)
  } catch (error) {
    await internalsOf(mock).background?.finish()
    throw error
  }
}

/** A mock that was loaded from fixtures of unknown type. */
export type ServedMock = Loaded<Record<string, unknown>>['mock']

async function listen(
  mock: ServedMock,
  config: ResolvedConfig,
  print: (text: string) => void,
): Promise<Serving> {
  const options = await readServeOptions(config)
  return startOnFreePort(config.port, (port) => serve(mock, { ...options, port }), print)
}

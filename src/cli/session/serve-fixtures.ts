import { readFile } from 'node:fs/promises'
import { toServeOptions } from '../../load/config/check-config.ts'
import type { ServeOptions } from '../../core/mock/serve-options.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { findPathProblem } from '../../loader/discover/path-problem.ts'
import { usageError } from '../arguments/usage-errors.ts'
import { configError, MockError } from '../../core/errors/mock-error.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { type ReplaceableServing, serveReplaceable } from '../../faces/node/serve.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import { type Loaded, loadFrom, type LoadMockOptions } from '../../load/load-mock.ts'
import { startOnFreePort } from './free-port.ts'

/** Loads the mock that a command serves; undefined if fixtures are invalid, which `onProblem` has reported. */
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

/** Serves the mock on a free port. If no server can start, finishes its background work, such as persisting. */
export async function serveOnFreePort(
  mock: ServedMock,
  config: ResolvedConfig,
  print: (text: string) => void,
): Promise<ReplaceableServing> {
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
): Promise<ReplaceableServing> {
  const options = await readServeOptions(config)
  return startOnFreePort(config, (port) => serveReplaceable(mock, { ...options, port }), print)
}

/**
 * Derives the options of `serve` from a configuration, which only names files.
 * @throws MockError when only one of certificate and key is given, or a file cannot be read
 */
export async function readServeOptions(config: ResolvedConfig): Promise<ServeOptions> {
  const { middlewares, cwd } = config
  const options = await readCertificate(config)
  if (middlewares === undefined) return options
  const { loadMiddlewares } = await import('../../load/middlewares.ts')
  return { ...options, middlewares: await loadMiddlewares(middlewares, cwd) }
}

async function readCertificate(config: ResolvedConfig): Promise<ServeOptions> {
  const { cert, key, https, cwd } = config
  const options = toServeOptions(config)
  if (https === false || (cert === undefined && key === undefined)) return options
  if (cert === undefined || key === undefined) {
    const missing = cert === undefined ? '--cert' : '--key'
    throw usageError(
      `Failed to serve https: ${missing} is missing. Please give both --cert and --key, or neither.`,
    )
  }
  // One after the other, so that the error always names the first unreadable file.
  const certificate = await readPem(cert, cwd)
  return { ...options, https: { cert: certificate, key: await readPem(key, cwd) } }
}

async function readPem(path: string, cwd: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const { message, advice } = await findPathProblem(path, toLabel(path, cwd), error)
    throw configError([message, advice].join(' '), error)
  }
}

import { readFile } from 'node:fs/promises'
import { MockError } from '../../core/errors/mock-error.ts'
import { toServeOptions } from '../../load/config/check-config.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import type { ServeOptions } from '../../core/mock/serve-options.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { findPathProblem } from '../../loader/discover/path-problem.ts'
import { usageError } from '../arguments/usage-errors.ts'

/**
 * Derives the options of the function `serve` from a configuration, which only names files: reads the files
 * of the certificate, and loads the modules of the middlewares.
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
    throw new MockError([message, advice].join(' '), { code: 'CONFIG_INVALID', cause: error })
  }
}

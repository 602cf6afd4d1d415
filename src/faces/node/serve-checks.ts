import {
  type Check,
  isAmount,
  isCount,
  isCountUpTo,
  isEither,
  isFlag,
  isListOf,
  isName,
  isText,
} from '../../core/errors/check.ts'
import { isRecord } from '../../core/json/json.ts'
import type { ServeOptions } from '../../core/mock/serve-options.ts'
import { longestTimer } from '../web/platform.ts'

// The checks of the options of `serve`. Configuration files and the command line use some of them, too.

/** The check of an option of `serve` that is a string or an array of strings. */
export const isTexts: Check = isEither(isText, isListOf(isText))

/** The check of an option that is a path or an array of paths; an empty path would be the working directory. */
export const isPaths: Check = [
  isEither(isName, isListOf(isName))[0],
  'a path that is not empty, or a list of paths',
]

/** The check of every option of `serve`. */
export const serveChecks: Readonly<Record<keyof ServeOptions, Check>> = {
  port: [isPort, 'a port from 0 to 65535'],
  host: isName,
  static: isPaths,
  middlewares: isListOf([isMiddleware, 'a function (request, response, next)']),
  staticSymlinks: isFlag,
  https: isEither(isFlag, [isCertificate, 'a certificate, { key, cert }, as PEM']),
  corsOrigin: isTexts,
  allowHost: isTexts,
  trustProxy: isFlag,
  token: [isVisible, 'visible ASCII characters'],
  grace: [isTimer, `milliseconds from 0 to ${longestTimer}`],
  headersTimeout: isCountUpTo(longestTimer),
  requestTimeout: isCountUpTo(longestTimer),
  maxConnections: isCount,
}

function isCertificate(value: unknown): boolean {
  const { key, cert } = isRecord(value) ? (value as Record<string, unknown>) : {}
  return [key, cert].every((pem) => typeof pem === 'string' || pem instanceof Uint8Array)
}

/** Whether a value can be sent as a bearer token and be copied from a terminal; empty for a random token. */
function isVisible(value: unknown): boolean {
  return typeof value === 'string' && /^[!-~]*$/.test(value)
}

function isTimer(value: unknown): boolean {
  return isAmount[0](value) && Number(value) <= longestTimer
}

/** Whether a value is a TCP port; 0 picks a free one. */
export function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
}

function isMiddleware(value: unknown): boolean {
  return typeof value === 'function' || (isRecord(value) && Array.isArray(value['handlers']))
}

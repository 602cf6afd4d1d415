import {
  type Check,
  isAmount,
  isCount,
  isEither,
  isFlag,
  isListOf,
  isName,
  isObject,
  isText,
} from '../../core/errors/check.ts'
import type { ServeOptions } from '../../core/mock/serve-options.ts'

/** The check of an option of `serve` that is a string or an array of strings. */
export const isTexts: Check = isEither(isText, isListOf(isText))

/** The check of every option of `serve`. */
export const serveChecks: Readonly<Record<keyof ServeOptions, Check>> = {
  port: [isPort, 'a port from 0 to 65535'],
  host: isName,
  static: isName,
  https: isEither(isFlag, isObject),
  corsOrigin: isTexts,
  allowHost: isTexts,
  trustProxy: isFlag,
  token: isText,
  grace: isAmount,
  headersTimeout: isCount,
  requestTimeout: isCount,
  maxConnections: isCount,
}

/** Whether a value is a TCP port; 0 picks a free one. */
export function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
}

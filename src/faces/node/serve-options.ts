import {
  type Check,
  isAmount,
  isCount,
  isEither,
  isFlag,
  isListOf,
  isObject,
  isText,
} from '../../core/check.ts'
import type { AccessOptions } from './access.ts'
import type { Certificate } from './certificate.ts'
import type { ServerLimits } from './guard.ts'

/** Where a server listens, to whom, and what it puts up with. */
export interface ServeOptions extends AccessOptions, ServerLimits {
  /** 0 for any free port. @default 3000 */
  port?: number
  /** `localhost` stands for both 127.0.0.1 and ::1. @default 'localhost' */
  host?: string
  /** Whether to speak TLS, with a certificate that is given or one that signs itself. @default false */
  https?: boolean | Certificate
  /** A folder whose files are served where the mock has nothing. */
  static?: string
  /** How long answers may go on after `close`, in milliseconds. @default 5000 */
  grace?: number
}

/** A text, or a list of texts. */
export const isTexts: Check = isEither(isText, isListOf(isText))

/** Every option of a server, and what it has to be. */
export const serveChecks: Readonly<Record<keyof ServeOptions, Check>> = {
  port: [isPort, 'a port from 0 to 65535'],
  host: isText,
  static: isText,
  https: isEither(isFlag, isObject),
  corsOrigin: isTexts,
  allowHost: isTexts,
  token: isText,
  grace: isAmount,
  headersTimeout: isCount,
  requestTimeout: isCount,
  maxConnections: isCount,
}

/** Whether a value is a TCP port, 0 standing for any free one. */
export function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
}

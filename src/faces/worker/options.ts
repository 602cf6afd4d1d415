import {
  type Check,
  checkOptions,
  isCallable,
  isCount,
  isEither,
  isListOf,
  isName,
  isObject,
  isText,
} from '../../core/errors/check.ts'
import { sessionChecks, type SessionOptions } from '../../core/behaviours/sessions.ts'
import { checkConfig } from '../../core/mock/config.ts'
import type { MockOptions } from '../../core/mock/core-mock.ts'
import { sessionCookie, sessionHeader } from '../../core/text/session-name.ts'
import { toMilliseconds } from '../../core/time/duration.ts'
import type { ControlParts } from './control-parts.ts'
import type { WorkerEnv } from './runtime.ts'
import type { Studio } from './studio.ts'

/** The first argument of `createWorker`: the options of `createMock`, with fixtures that are imported into the bundle. */
export interface WorkerConfig extends MockOptions<object> {
  /** The origins whose pages may read responses: origins, `loopback`, `none`, `null`, `*`. @default '*' */
  corsOrigin?: string | readonly string[]
}

/** The limits on what one session may store. */
export interface SessionLimits {
  /** The maximum number of records that differ from the fixtures. @default 10000 */
  records: number
  /**
   * The most bytes of these records, and of the fields of removed records, as JSON, counted in characters. An object
   * has 128 MB of memory, and reads all of them at once. @default 5000000
   */
  bytes: number
}

/** The second argument of `createWorker`: the options of the worker. */
export interface WorkerOptions extends ControlParts {
  /**
   * The token that `/__mock` and the page at `/` require: a text, or a function of the bindings. Without a token,
   * both are closed. @default the secret MOCK_TOKEN
   */
  token?: string | ((env: WorkerEnv) => unknown)
  /** The names of sessions, how many there may be (1000), and how long each is kept after its last request (`7d`). */
  sessions?: SessionOptions
  /** The limits on what one session may store. */
  limits?: Partial<SessionLimits>
  /** The name of the binding of the Durable Objects in `wrangler.jsonc`. @default 'MOCK' */
  binding?: string
  /** The `studio` of `fixtura/studio`, for the page at `/`. @default none */
  studio?: Studio
}

/** The options of sessions with their defaults. */
export interface SessionSettings {
  /** In lower case. */
  header: string
  cookie: string
  /** In milliseconds. */
  ttl: number
  limit: number
  required: boolean
}

/** The options of `createWorker` with their defaults. */
export interface WorkerSettings {
  config: MockOptions<object>
  corsOrigin: string | readonly string[]
  tokenOf: (env: WorkerEnv) => string | undefined
  sessions: SessionSettings
  limits: SessionLimits
  binding: string
  studio: Studio | undefined
  parts: ControlParts
}

const optionChecks: Readonly<Record<keyof WorkerOptions, Check>> = {
  token: [
    (value) => isName[0](value) || typeof value === 'function',
    'a text, or a function such as (env) => env.MOCK_TOKEN',
  ],
  sessions: isObject,
  limits: isObject,
  binding: isName,
  studio: isCallable,
  documents: isObject,
  har: isObject,
}

/** Checks the options of `createWorker` and fills in defaults. @throws MockError with the nearest name */
export function toWorkerSettings(given: WorkerConfig, options: WorkerOptions): WorkerSettings {
  const { corsOrigin = '*', ...config } = given
  checkOptions(
    'the configuration',
    { corsOrigin },
    { corsOrigin: isEither(isText, isListOf(isText)) },
  )
  checkConfig(config)
  checkOptions('the options of createWorker', options, optionChecks)
  const { token = (env: WorkerEnv) => env['MOCK_TOKEN'], binding = 'MOCK' } = options
  const { sessions = {}, limits = {}, studio } = options
  checkOptions('the sessions of createWorker', sessions, sessionChecks)
  checkOptions('the limits of createWorker', limits, { records: isCount, bytes: isCount })
  const { header = sessionHeader, cookie = sessionCookie, required = false } = sessions
  return {
    config,
    corsOrigin,
    tokenOf(env) {
      const value = typeof token === 'function' ? token(env) : token
      return typeof value === 'string' && value !== '' ? value : undefined
    },
    sessions: {
      header: header.toLowerCase(),
      cookie,
      ttl: toMilliseconds(sessions.ttl ?? '7d'),
      limit: sessions.limit ?? 1000,
      required,
    },
    limits: { records: 10_000, bytes: 5_000_000, ...limits },
    binding,
    studio,
    // The parts of the studio contain more than those of the options.
    parts: { ...options, ...studio?.parts },
  }
}

import { checkWebhookTarget } from '../../core/behaviours/webhooks/webhooks.ts'
import {
  type Check,
  checkOptions,
  isCallable,
  isCountUpTo,
  isEither,
  isFlag,
  isListOf,
  isMapOf,
  isObject,
  isName,
  isText,
} from '../../core/errors/check.ts'
import { isRecord } from '../../core/json/json.ts'
import type { RestFileOptions } from '../../core/dialects/rest-names/options.ts'
import { configChecks, type MockConfig } from '../../core/mock/config.ts'
import type { Dialect } from '../../core/dialects/contract/dialect.ts'
import { isServerUrl } from '../../core/proxy/server-url.ts'
import { isDelay, isDuration } from '../../core/time/duration.ts'
import type { FileConfig } from '../../core/mock/file-config.ts'
import type { ServeOptions } from '../../core/mock/serve-options.ts'
import { isPaths, serveChecks } from '../../faces/node/serve-checks.ts'
import { hasBodies } from '../../core/resources/options.ts'
import { createNamed, loadDialect } from './dialect-names.ts'

/** Checks all options of a configuration, also `fixtures` and `watch`. @throws MockError with the nearest name */
export function checkFileConfig(config: FileConfig): void {
  const dialect = isEither(isText, configChecks.dialect, [
    isNamed,
    'an object such as {"rest":{"preset":"laravel"}}',
  ])
  const [isUse, words, ...explain] = configChecks.use
  const json = 'or in JSON an object such as {"delay":200,"auth":true}'
  const use: Check = [isUse, `${words}, ${json}`, ...explain]
  const openapi = isEither(isName, configChecks.openapi)
  const checks = { ...configChecks, ...serveChecks, ...ownChecks, dialect, openapi, use }
  checkOptions('the configuration', config, checks)
  if (config.webhooks) checkWebhookTarget(config.webhooks)
}

/** Picks the options of `createMock`, and loads a dialect by name. @throws MockError for an unknown name */
export async function toMockConfig(config: FileConfig): Promise<MockConfig> {
  const { dialect, openapi, ...rest } = config
  const isRest = openapi === undefined && (dialect === undefined || dialect === 'rest')
  const found = await toDialect(isRest && hasBodies(config.resources) ? { rest: {} } : dialect)
  return {
    ...pick(rest, configChecks),
    ...(found && { dialect: found }),
    ...(typeof openapi === 'object' && { openapi }),
  }
}

/** The options of a configuration that are options of neither `createMock` nor `serve`. */
type OwnConfig = Omit<FileConfig, keyof MockConfig | Exclude<keyof ServeOptions, 'middlewares'>>

const ownChecks: Readonly<Record<keyof OwnConfig, Check>> = {
  fixtures: isPaths,
  bind: isMapOf(isText),
  count: isCountUpTo(100_000),
  auth: isFlag,
  webhooks: isObject,
  cwd: isName,
  delay: isDelay,
  routes: isEither(isName, isMapOf(isName)),
  middlewares: isEither(isName, isListOf(isEither(isName, isCallable))),
  proxy: isServerUrl,
  scenario: isText,
  sessionTtl: isDuration,
  cert: isName,
  key: isName,
  watch: isFlag,
  poll: isFlag,
  persist: isFlag,
  types: isName,
  quiet: isFlag,
  open: isFlag,
}

/** Whether a dialect is given by the options of `rest`: `{ "rest": { "key": "snake_case" } }`. */
function isNamed(value: unknown): value is { rest: RestFileOptions } {
  return isRecord(value) && isRecord(value['rest']) && Object.keys(value).length === 1
}

/** Loads a dialect that is given by name or by options. @throws MockError for an unknown name and wrong options */
export async function toDialect(dialect: FileConfig['dialect']): Promise<Dialect | undefined> {
  if (typeof dialect === 'string') return loadDialect(dialect)
  return isNamed(dialect) ? createNamed(dialect.rest) : dialect
}

/** Picks the options of a server, except for middlewares, which have to be loaded. */
export function toServeOptions(config: FileConfig): ServeOptions {
  const { middlewares: _files, ...rest } = config
  return pick(rest, serveChecks)
}

function pick(config: object, checks: object): object {
  return Object.fromEntries(Object.entries(config).filter(([name]) => Object.hasOwn(checks, name)))
}

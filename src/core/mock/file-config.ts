import type { MockConfig } from './config.ts'
import type { WebhookTarget } from '../http/contract/behaviour.ts'
import type { RewriteRules } from '../url/express-pattern.ts'
import type { OpenApiSource } from '../dialects/contract/openapi-source.ts'
import type { Dialect } from '../dialects/contract/dialect.ts'
import type { PresetName, RestFileOptions } from '../dialects/rest-names/options.ts'
import type { Delay, Duration } from '../time/duration.ts'
import type { Middleware, ServeOptions } from './serve-options.ts'

/** The options of a configuration file: of the mock, its server, and its loading, watching and saving. */
export interface FileConfig
  extends Omit<MockConfig, 'dialect' | 'openapi'>, Omit<ServeOptions, 'middlewares'> {
  /** Fixture folders and files. @default fixtures/, else db.json */
  fixtures?: string | readonly string[]
  /** The dialect, its name, or names and envelopes: `{ rest: { list: { data: '$items' } } }`. @default 'rest' */
  dialect?: Dialect | DialectName | { rest: RestFileOptions }
  /** The OpenAPI document that is the source of paths and data: its file, or the result of `fromOpenApi`. */
  openapi?: string | OpenApiSource
  /** Corrections of what operations of the document do: `{ 'GET /v1/customers': 'customers.list' }`. */
  bind?: Readonly<Record<string, string>>
  /** The number of records that a collection of the document gets without a fixture. @default 20 */
  count?: number
  /** Whether requests need the credentials of the `securitySchemes` of the document; any token counts. @default false */
  auth?: boolean
  /** Sends `webhooks` of the document to a URL, and `callbacks` to theirs. @default neither is sent */
  webhooks?: WebhookTarget
  /** The folder that relative paths are resolved against. @default the configuration file's, else the working directory */
  cwd?: string
  /** The delay of every response, which replaces a `delay` in `use`: `200`, `'200-800'`. */
  delay?: Delay
  /**
   * Rules that rewrite URLs, or the file that contains them, such as json-server's `routes.json`; they replace
   * a `rewrite` in `use`.
   */
  routes?: string | RewriteRules
  /**
   * Connect and Express middlewares: functions, and files that export a function or an array of functions. For
   * the command; needs the package `express`.
   */
  middlewares?: string | readonly (string | Middleware)[]
  /** The URL of the real server for requests that no fixture answers; replaces a `proxy` in `use`. */
  proxy?: string
  /** The initial scenario, a name below `_scenarios`. */
  scenario?: string
  /** Gives every client that sends `X-Mock-Session` its own fork of the mock, kept for this long after its last request. */
  sessionTtl?: Duration
  /** The PEM file of the certificate for `https`. @default a self-signed certificate */
  cert?: string
  /** The PEM file of the certificate's private key. */
  key?: string
  /** Whether edits to fixtures are reloaded. @default true */
  watch?: boolean
  /** Whether to poll files every 100 ms, for network drives. @default false */
  poll?: boolean
  /** Whether writes of requests are saved to the fixture files. @default false */
  persist?: boolean
  /** The file for TypeScript types of the fixtures, which the command writes at the start and after edits. */
  types?: string
  /** Whether to print only problems. @default false */
  quiet?: boolean
  /** Whether to open the browser when the server is ready. @default false */
  open?: boolean
}

/** The name of a built-in dialect. */
export type DialectName =
  | 'rest'
  | 'json-server-0'
  | 'json-server-1'
  | 'json-server-1-beta'
  | 'json-api'
  | 'simple-rest'
  | 'supabase'
  | PresetName

/** The type of an unknown option, which no value has; the compiler's message names the option. */
export interface UnknownOption<Name> {
  readonly [unknownOption]: Name
}

declare const unknownOption: unique symbol

/**
 * Returns a configuration as is; gives editors its type.
 * @example export default defineConfig({ base: '/api', delay: '200-800' })
 */
export function defineConfig<const Config extends FileConfig>(
  config: Config & {
    readonly [Name in Exclude<keyof Config, keyof FileConfig>]: UnknownOption<Name>
  },
): Config {
  return config
}

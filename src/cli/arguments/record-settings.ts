import { isServerUrl } from '../../core/proxy/server-url.ts'
import type { Io } from '../io.ts'
import { toHeader, toNames, toTexts } from './option-values.ts'
import type { OptionValue } from './option.ts'
import type { Arguments } from './parse-arguments.ts'
import { toConfig } from './to-config.ts'
import { usageError } from './usage-errors.ts'

/** Parses the URL and the options of `mock record`. @throws MockError that names the wrong option */
export function toRecordSettings(args: Arguments, env: Io['env']): RecordSettings {
  const { values } = args
  const { port, host = 'localhost', allowHost, quiet = false } = toConfig(args, env)
  const target = toTarget(args.paths)
  const upstream = new URL(target).origin
  const path = target.slice(upstream.length)
  const only = toTexts(values['only'])
  const redact = toNames(values['redact'])
  return {
    target,
    upstream,
    path,
    port,
    host,
    allowHost,
    out: String(values['out'] ?? 'fixtures'),
    only: only.length > 0 ? only : path === '' ? undefined : [`${path}/*`],
    redact: redact.length > 0 ? redact : undefined,
    headers: Object.fromEntries(toTexts(values['header']).map(toHeader)),
    isInsecure: values['insecure'] === true,
    limit: toLimit(values['limit']),
    isQuiet: quiet,
  }
}

/** The settings of `mock record`. */
export interface RecordSettings {
  /** The URL of the real API, without a slash at the end. */
  target: string
  /** The origin of `target`. */
  upstream: string
  /** The path of `target`; empty for a URL without one. */
  path: string
  /** Undefined for the first free port from the default on. */
  port: number | undefined
  host: string
  allowHost: string | readonly string[] | undefined
  out: string
  only: readonly string[] | undefined
  redact: readonly string[] | undefined
  headers: Readonly<Record<string, string>>
  isInsecure: boolean
  /** The largest body to learn from, in bytes. */
  limit: number
  isQuiet: boolean
}

/** Parses the URL of the real API, without a slash at the end. @throws MockError that advises a correct URL */
function toTarget(paths: readonly string[]): string {
  const [text, ...others] = paths
  if (text === undefined || others.length > 0) {
    throw usageError(
      'Failed to record: please give one URL of a real API, as in "npx fixtura record https://api.example.com".',
    )
  }
  const isUrl = isServerUrl[0](text) && URL.canParse(text)
  if (isUrl) return new URL(text).href.replace(/\/+$/, '')
  const rest = text.replace(/^\w*:\/\//, '')
  const withScheme = `${isLocal.test(rest) ? 'http' : 'https'}://${rest}`
  const advice = isServerUrl[0](withScheme)
    ? `Please write "npx fixtura record ${withScheme}".`
    : 'Please give an http URL without a query; credentials go into --header.'
  throw usageError(`Failed to record "${text}": it is not the URL of an API. ${advice}`)
}

/** A host of this machine, whose servers rarely have a certificate. */
const isLocal = /^(?:localhost|127\.|\[::1\])/

function toLimit(value: OptionValue = '8388608'): number {
  const limit = /^\d{1,9}$/.test(String(value)) ? Number(value) : 0
  if (limit > 0) return limit
  throw usageError(
    `Failed to read --limit: "${String(value)}" is not a number of bytes from 1 to 999999999.`,
  )
}

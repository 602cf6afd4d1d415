import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { MockResponse } from '../../http/contract/messages.ts'
import type { Forward } from '../../proxy/forward.ts'
import { isMatched, resolveDots } from '../../url/pattern.ts'
import { passOn, type Recording } from './pass-on.ts'
import { type ProxyOptions, type ProxySettings, toProxySettings } from './options.ts'

/** Creates the behaviour `proxy`; `platform` sends its requests. @throws MockError for a wrong option */
export function createProxy(options: ProxyOptions, platform: ProxyPlatform = {}): Proxy {
  const settings = toProxySettings(options)
  const { upstream, isRecorded, routes } = settings
  return {
    name: 'proxy',
    recorded: isRecorded ? upstream : undefined,
    withPlatform: (other) => createProxy(options, other),
    create: (world) => ({
      at: {
        resource: (exchange) =>
          isProxied(exchange, settings, world) ? send(exchange, world) : undefined,
      },
      routes,
      describe: () => ({
        notes: [`Requests that the mock does not answer are passed on to ${upstream}.`],
        operation: ({ method, path }) =>
          settings.isAlways && covers(settings, method, path) ? { isOpen: true } : undefined,
      }),
    }),
  }

  function send(exchange: Exchange, { clock }: MockContext): Promise<MockResponse> {
    const { forward, record } = platform
    if (!forward) {
      throw new MockError(`Failed to reach ${upstream}: this runtime cannot send requests.`, {
        status: 502,
        code: 'UPSTREAM_FAILED',
      })
    }
    return passOn(exchange, settings, { clock, forward, record: isRecorded ? record : undefined })
  }
}

/** The behaviour `proxy`, to which each runtime gives its functions. */
export interface Proxy extends Behaviour {
  /** Returns a copy that sends requests with another function, and that may record the responses. */
  withPlatform(platform: ProxyPlatform): Proxy
  /** The server to record; undefined without `record`. */
  recorded: string | undefined
}

/** The functions of a runtime that a proxy uses. */
export interface ProxyPlatform {
  /** Sends a request; undefined if only the configuration is read. */
  forward?: Forward | undefined
  /** Is called with each exchange, if the option `record` is set. */
  record?: ((exchange: Recording) => void) | undefined
}

/** The methods that no proxy passes on (RFC 9110 §9.3.6, §9.3.8), or that `fetch` refuses. */
const neverProxied = new Set(['CONNECT', 'TRACE', 'TRACK'])

function isProxied(exchange: Exchange, settings: ProxySettings, { service }: MockContext): boolean {
  const { method, path, target, access } = exchange
  const { base } = service
  if (neverProxied.has(method)) return false
  // The root of the mock lists its resources.
  if (!settings.isAlways && (target || [base, `${base}/`, access.root].includes(path))) return false
  return covers(settings, method, resolveDots(path.slice(base.length)))
}

function covers({ only, except }: ProxySettings, method: string, below: string): boolean {
  if (except.some((pattern) => isMatched(pattern, method, below))) return false
  return only.length === 0 || only.some((pattern) => isMatched(pattern, method, below))
}

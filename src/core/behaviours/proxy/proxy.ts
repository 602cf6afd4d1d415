import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { MockResponse } from '../../http/contract/messages.ts'
import type { Forward } from '../../proxy/forward.ts'
import { isMatched, resolveDots } from '../../url/pattern.ts'
import { passOn, type Recording } from './pass-on.ts'
import { isUnreachable } from '../../proxy/gateway-error.ts'
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
          isProxied(exchange, settings, world, platform.recorder)
            ? send(exchange, world)
            : undefined,
      },
      routes,
      describe: () => ({
        notes: [`Requests that the mock does not answer are passed on to ${upstream}.`],
        operation: ({ method, path }) =>
          settings.isAlways && covers(settings, method, path) ? { isOpen: true } : undefined,
      }),
    }),
  }

  function send(
    exchange: Exchange,
    { clock }: MockContext,
  ): Promise<MockResponse> | Promise<MockResponse | undefined> {
    const { forward, recorder } = platform
    if (!forward) {
      throw new MockError(`Failed to reach ${upstream}: this runtime cannot send requests.`, {
        status: 502,
        code: 'UPSTREAM_FAILED',
      })
    }
    const record = isRecorded ? recorder?.record : undefined
    const sent = passOn(exchange, settings, { clock, forward, record })
    if (!record || !exchange.target || !isRead(exchange)) return sent
    return sent.catch((error: unknown) => {
      if (!isUnreachable(error)) throw error
      exchange.reasons.push(`recorded, because ${upstream} cannot be reached`)
      return undefined
    })
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
  /** Learns from the responses, if the option `record` is set. */
  recorder?: ProxyRecorder | undefined
}

/** Records the exchanges of a proxy, and knows which requests the mock can answer because of the recording. */
export interface ProxyRecorder {
  record(recording: Recording): void
  /** Whether a resource is in the fixtures because of this recording alone. */
  isRecorded(resource: string): boolean
  /** Whether the mock answers a read as recorded; `url` is the path, without the prefix of the mock, and the query. */
  isServed(url: string): boolean
}

/** The methods that no proxy passes on (RFC 9110 §9.3.6, §9.3.8), or that `fetch` refuses. */
const neverProxied = new Set(['CONNECT', 'TRACE', 'TRACK'])

function isProxied(
  exchange: Exchange,
  settings: ProxySettings,
  { service }: MockContext,
  recorder: ProxyRecorder | undefined,
): boolean {
  const { method, path, target, access, request } = exchange
  const { base } = service
  if (neverProxied.has(method)) return false
  if (!settings.isAlways) {
    // The root of the mock lists its resources.
    if ([base, `${base}/`, access.root].includes(path)) return false
    // A collection may be recorded in part, so that the real server answers the other requests.
    if (target && !recorder?.isRecorded(target.resource.name)) return false
    const url = request.path.slice(base.length) + request.search
    if (isRead(exchange) && recorder?.isServed(url)) return false
  }
  return covers(settings, method, resolveDots(path.slice(base.length)))
}

function isRead({ method }: Exchange): boolean {
  return method === 'GET' || method === 'HEAD'
}

function covers({ only, except }: ProxySettings, method: string, below: string): boolean {
  if (except.some((pattern) => isMatched(pattern, method, below))) return false
  return only.length === 0 || only.some((pattern) => isMatched(pattern, method, below))
}

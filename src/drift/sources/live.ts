import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import {
  type GetResponse,
  type ObservedResponse,
  type DriftTarget,
  type Ask,
  explore,
  type ExploreOptions,
} from '../../core/drift/observe/explore.ts'
import type { Failure } from '../../core/drift/side.ts'
import { parseJson } from '../../core/learn/parse-exchange.ts'

/** Reads the resources of the fixtures from a live API, with GETs below a URL. */
export async function readLive(
  root: string,
  targets: readonly DriftTarget[],
  options: LiveOptions,
): Promise<LiveResponses> {
  const responses = new Map<DriftTarget, ObservedResponse[]>()
  const failures = new Map<string, Failure>()
  const ask = createAsk(root, options)
  const left = [...targets]
  const readNext = async (): Promise<void> => {
    for (let target = left.shift(); target; target = left.shift()) {
      try {
        const found = await explore(ask, target, options)
        const reason = reasonOf(found[0])
        if (reason === undefined) responses.set(target, found)
        else failures.set(target.name, { reason })
      } catch (error) {
        failures.set(target.name, { reason: toReason(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, readNext))
  // In the order of the fixtures, not of the responses.
  const ordered = targets.flatMap((target): [DriftTarget, ObservedResponse[]][] => {
    const found = responses.get(target)
    return found ? [[target, found]] : []
  })
  return { responses: new Map(ordered), failures }
}

/** The options for reading a live API. */
export interface LiveOptions extends ExploreOptions {
  headers: Readonly<Record<string, string>>
  /** The longest wait for a response, in milliseconds. */
  timeout: number
}

/** The responses of a live API by resource, and why other resources could not be read. */
export interface LiveResponses {
  responses: Map<DriftTarget, ObservedResponse[]>
  failures: Map<string, Failure>
}

const concurrency = 4

const maxRedirects = 5

/** Creates the function that sends GETs to an API. Credentials are sent to the origin of the API alone. */
export function createAsk(root: string, { headers, timeout }: LiveOptions): Ask {
  const { origin } = new URL(root)
  async function get(url: URL, hops = 0): Promise<GetResponse> {
    const signal = AbortSignal.timeout(timeout)
    const response = await fetch(url, {
      headers: { Accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null) {
      const target = new URL(location, url)
      await response.body?.cancel()
      if (target.origin !== origin) throw new MockError(`it redirects to ${target.origin}`)
      if (hops >= maxRedirects) throw new MockError('it redirects too often')
      return get(target, hops + 1)
    }
    return {
      url: url.href,
      path: url.pathname + url.search,
      status: response.status,
      json: parseJson(await response.text()),
      headers: [...response.headers],
    }
  }
  return (async (path: string, from?: GetResponse) => {
    if (!from) return get(new URL(root.replace(/\/$/, '') + path))
    const url = new URL(path, from.url)
    // A proxy in front of an API can write links with another scheme.
    if (url.host === new URL(origin).host) return get(new URL(url.pathname + url.search, origin))
    return undefined
  }) as Ask
}

function reasonOf(first: ObservedResponse | undefined): string | undefined {
  if (!first) return 'it did not answer'
  const { status, json, headers } = first
  if (status === 401 || status === 403) {
    return `the API answers ${status}. Please send credentials: --header 'Authorization: Bearer <token>'`
  }
  if (status === 429) return 'the API answers 429: too many requests. Please try again later'
  if (status >= 500) return `the API answers ${status}`
  if (status >= 200 && status < 300 && json === undefined) {
    const [, type = 'no body'] = headers.find(([name]) => name === 'content-type') ?? []
    return `the API answers ${type} instead of JSON. Please give the URL below which the resources are`
  }
  return undefined
}

function toReason(error: unknown): string {
  if (error instanceof MockError) return error.message
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'the API did not answer in time. Please try again, or allow more time with --timeout'
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return `the API cannot be reached (${codeOf(cause) || toMessage(cause)}). Please check the URL, and that the API runs`
}

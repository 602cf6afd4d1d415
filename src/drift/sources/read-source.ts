import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toSide } from '../../core/drift/observe/observe-api.ts'
import {
  type DriftTarget,
  type GetResponse,
  type ObservedResponse,
  type Ask,
  explore,
  type ExploreOptions,
} from '../../core/drift/observe/explore.ts'
import { fromOpenApi } from '../../core/drift/openapi/read-document.ts'
import { fromExchanges } from '../../core/drift/from-exchanges.ts'
import type { Failure, Side } from '../../core/drift/side.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord, tryJson } from '../../core/json/json.ts'
import { type ReadHar, readEntries } from '../../record/har/read-har.ts'
import { type ComparedMock, rulesOf } from '../fixtures-side.ts'
import { readReferences, readValue } from '../../load/read-documents.ts'
import { countOf } from '../../core/text/count-of.ts'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'

/** Reads the other side, whatever the source is. @throws MockError `NOT_COMPARED` if nothing can be compared */
export async function readSource(
  mock: ComparedMock,
  targets: readonly DriftTarget[],
  options: SourceOptions,
): Promise<SourceSide> {
  const { source, cwd } = options
  const isUrl = /^https?:\/\//i.test(source)
  if (isUrl && !/\.(?:json|ya?ml|har)$/i.test(new URL(source).pathname)) {
    return readApi(mock, targets, options)
  }
  const uri = isUrl ? source : pathToFileURL(resolve(cwd, source)).href
  const value = await readValue(uri, source, options)
  const recording = await readEntries(value, isUrl ? '' : dirname(resolve(cwd, source)))
  if (recording) return readRecording(mock, targets, source, recording)
  if (!isRecord(value) || (value['openapi'] ?? value['swagger']) === undefined) {
    throw notCompared(
      source,
      'it is neither an OpenAPI document nor a recording (HAR). Please give one of these, or the URL of an API.',
    )
  }
  const documents = await readReferences(uri, value, options)
  const side = fromOpenApi(documents, uri, targets, mock.internals.service.base)
  if (side) return { side, notes: [] }
  throw notCompared(
    source,
    `it describes none of the paths of the fixtures: ${listPaths(targets)}.`,
  )
}

/** The options of {@link readSource}. */
export interface SourceOptions extends LiveOptions {
  /** The URL of an API, or the path or URL of an OpenAPI document or a HAR. */
  source: string
  /** The folder that a path starts from. */
  cwd: string
}

/** The other side of a comparison, as the source shows it. */
export interface SourceSide {
  side: Side
  /** The parts of the source that were not read, in words. */
  notes: string[]
  /** Returns the query of a recorded list, which the mock is asked for too. */
  queryOf?: (target: DriftTarget) => string | undefined
}

async function readApi(
  mock: ComparedMock,
  targets: readonly DriftTarget[],
  options: SourceOptions,
): Promise<SourceSide> {
  const { source } = options
  const { base } = mock.internals.service
  const url = new URL(source)
  // The base of the mock is part of the paths of the API, unless the URL has a path of its own.
  const root = url.origin + (url.pathname === '/' ? base : url.pathname.replace(/\/$/, ''))
  const { responses, failures } = await readLive(root, targets, options)
  const reasons = new Set([...failures.values()].map(({ reason }) => reason))
  if (responses.size === 0) throw notCompared(source, `${[...reasons].join('; ')}.`)
  const firsts = [...responses.values()].map(([first]) => first?.status)
  if (firsts.every((status) => status === 404 || status === 410)) {
    const message = `it has none of the resources at ${root}: ${listPaths(targets)}. Please give the URL below which they are.`
    throw notCompared(source, message)
  }
  return { side: toSide(responses, rulesOf(mock.internals), failures), notes: [] }
}

function readRecording(
  mock: ComparedMock,
  targets: readonly DriftTarget[],
  source: string,
  { exchanges, missing }: ReadHar,
): SourceSide {
  const responses = fromExchanges(exchanges, targets, mock.internals.service.base)
  if (responses.size === 0) {
    throw notCompared(source, `it has no responses of the fixtures: ${listPaths(targets)}.`)
  }
  const unseen = targets.filter((target) => !responses.has(target))
  const failure: Failure = { reason: 'it is not in the recording', isUnseen: true }
  const failures = new Map(unseen.map(({ name }) => [name, failure]))
  const bodiless = missing.filter((request) => request.startsWith('GET ')).length
  const count = countOf(bodiless, 'response')
  return {
    side: toSide(responses, rulesOf(mock.internals), failures),
    notes:
      bodiless > 0 ? [`${count} of the recording have no bodies. Please record with content.`] : [],
    queryOf(target) {
      const list = responses.get(target)?.find(({ role }) => role === 'list')
      return list && /\?.*/s.exec(list.path)?.[0]
    },
  }
}

/** Creates the error for a source that cannot be compared. */
export function notCompared(source: string, reason: string): MockError {
  return new MockError(`Failed to compare with "${source}": ${reason}`, { code: 'NOT_COMPARED' })
}

function listPaths(targets: readonly DriftTarget[]): string {
  const shown = targets.slice(0, 5).map(({ name }) => `/${name}`)
  return shown.join(', ') + (targets.length > shown.length ? ', ...' : '')
}

/** Reads the resources of the fixtures from a live API, with GETs below a URL. */
async function readLive(
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

interface LiveOptions extends ExploreOptions {
  headers: Readonly<Record<string, string>>
  /** The longest wait for a response, in milliseconds. */
  timeout: number
}

/** The responses of a live API by resource, and why other resources could not be read. */
interface LiveResponses {
  responses: Map<DriftTarget, ObservedResponse[]>
  failures: Map<string, Failure>
}

const concurrency = 4

const maxRedirects = 5

/** Creates the function that sends GETs to an API. Credentials are sent to the origin of the API alone. */
function createAsk(root: string, { headers, timeout }: LiveOptions): Ask {
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
      json: tryJson(await response.text()),
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

import type { RecordedAnswer } from './learned.ts'
import { compareTexts, isSuccess, type Param, type Reading } from './parse/parsed-exchange.ts'
import { canonical } from './recorded/digest.ts'
import type { Places } from './recognize/resource-paths.ts'
import { isExpanded } from './recognize/shown.ts'

/** The last response to each URL that was read, with the resources that it shows. */
export function toReads(
  readings: readonly Reading[],
  places: Places,
  names: ReadonlyMap<string, string>,
): RecordedAnswer[] {
  const reads = readings.filter(
    ({ method, status, json }) => method === 'GET' && json !== undefined && isFinal(status),
  )
  const lastWrites = new Map<string, number>()
  for (const reading of readings) {
    const place = isWrite(reading) ? places.find(reading.segments) : undefined
    if (place) lastWrites.set(names.get(place.collection) ?? '', reading.at)
  }
  return lastOfEach(reads).map((reading) => {
    const place = places.find(reading.segments)
    const found = [place?.collection, place?.parent?.collection].flatMap(
      (path) => names.get(path ?? '') ?? [],
    )
    const shown = found.length > 0 && isExpanded(reading.query) ? [...names.values()] : found
    const resources = [...new Set(shown)].toSorted()
    const isOutdated = resources.some((name) => (lastWrites.get(name) ?? -Infinity) > reading.at)
    return toAnswer(reading, resources, isOutdated)
  })
}

/** The last response to each request that belongs to no resource and writes or computes something. */
export function toAnswers(rest: readonly Reading[]): RecordedAnswer[] {
  const kept = rest.filter(
    ({ method, status, json, isEmpty }) =>
      method !== 'GET' &&
      /^[A-Z]+$/.test(method) &&
      !/^(?:HEAD|OPTIONS|CONNECT|TRACE)$/.test(method) &&
      isFinal(status) &&
      (json !== undefined || isEmpty),
  )
  return lastOfEach(kept).map((reading) => toAnswer(reading, [], false))
}

/** Whether a reading has changed a resource. */
function isWrite(reading: Reading): boolean {
  return /^(?:POST|PUT|PATCH|DELETE)$/.test(reading.method) && isSuccess(reading)
}

/** Whether a status is worth keeping: no partial or unchanged content. */
function isFinal(status: number): boolean {
  return status >= 200 && status !== 206 && status !== 304
}

/** The last reading of each request; a failure of the server or of a login gives way to an answer. */
function lastOfEach(readings: readonly Reading[]): Reading[] {
  const last = new Map<string, Reading>()
  for (const reading of readings) {
    const key = requestKey(reading)
    const before = last.get(key)
    if (before && !isPassing(before.status) && isPassing(reading.status)) continue
    last.set(key, reading)
  }
  return [...last].toSorted(([a], [b]) => compareTexts(a, b)).map(([, reading]) => reading)
}

/** Whether a status says nothing of the request itself: no login, a limit, a broken server. */
function isPassing(status: number): boolean {
  return status === 401 || status === 403 || status === 429 || status >= 500
}

/** Identifies a request by method, path, query and body; the order of parameters does not count. */
export function requestKey(parts: {
  method: string
  path: string
  query: readonly Param[]
  sent?: unknown
}): string {
  const { method, path, query, sent } = parts
  const hasBody = method !== 'GET' && sent !== undefined
  return JSON.stringify([method, path, sortQuery(query), ...(hasBody ? [canonical(sent)] : [])])
}

function toAnswer(
  { method, path, isSlashed, query, sent, status, headers, json }: Reading,
  resources: string[],
  isOutdated: boolean,
): RecordedAnswer {
  return {
    method,
    path,
    isSlashed,
    query: query.map(([name, value]) => [name, value]),
    ...(method !== 'GET' && sent !== undefined && { body: sent }),
    status,
    headers: headers.map(([name, value]) => [name, value]),
    ...(json !== undefined && { value: json }),
    resources,
    isOutdated,
  }
}

/** The parameters sorted by name; the values of one name stay in order. */
export function sortQuery(query: readonly Param[]): [name: string, value: string][] {
  return query
    .map(([name, value]): [string, string] => [name, value])
    .toSorted(([a], [b]) => compareTexts(a, b))
}

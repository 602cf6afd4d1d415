import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toSide } from '../../core/drift/observe/observe-api.ts'
import type { DriftTarget } from '../../core/drift/observe/explore.ts'
import { fromOpenApi } from '../../core/drift/openapi/read-document.ts'
import { fromExchanges } from '../../core/drift/from-exchanges.ts'
import type { Failure, Side } from '../../core/drift/side.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord } from '../../core/json/json.ts'
import { type ReadHar, readEntries } from '../../record/har/read-har.ts'
import { type ComparedMock, rulesOf } from '../fixtures-side.ts'
import { readReferences, readValue } from '../../load/read-documents.ts'
import { type LiveOptions, readLive } from './live.ts'
import { countOf } from '../../core/text/count-of.ts'

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

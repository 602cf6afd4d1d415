import type { Answer } from '../../dialects/contract/dialect.ts'
import { toCorsHeaders } from '../cors/cors.ts'
import { entityTag } from '../response/entity-tag.ts'
import { toEntry, toSent } from './ending.ts'
import type { MockRequest, MockResponse } from '../contract/messages.ts'
import type { PipelineOptions } from './pipeline.ts'
import { findPlain, isPlain, type PlainResult, prefersHtml, readPlain } from './plain.ts'
import { toResponse, toValidators } from '../response/response.ts'
import { toList } from '../response/record-json-cache.ts'

/** What plain reads take besides. */
export interface PlainOptions extends PipelineOptions {
  /** Renders what was read as the dialect does, where nothing is to be known for that but the result. */
  renderPlain: ((result: PlainResult) => Answer) | undefined
}

/** Answers a request as the pipeline would; undefined where that takes the pipeline. */
export type PlainWay = (request: MockRequest) => MockResponse | undefined

/** A path that is longer may be longer than is allowed, which the pipeline looks at. */
const longest = 1000

/**
 * Creates the way of plain reads through a mock that nothing else happens in: there is no behaviour, no
 * rule and no parameter, and what is asked for is there. Undefined where the dialect cannot do without
 * the whole of it.
 */
export function createPlainWay({
  service,
  clock,
  modifiedOf,
  renderPlain,
  encode,
  onAnswer,
}: PlainOptions): PlainWay | undefined {
  if (!renderPlain) return undefined
  return (request) => {
    const { method, headers, path } = request
    if (method !== 'GET' || !isPlain(request) || prefersHtml(headers)) return undefined
    const target = path.length <= longest ? findPlain(path, service) : undefined
    const result = target && readPlain(target)
    if (!result) return undefined
    const answer = renderPlain(result)
    const started = clock.now()
    const list = result.type === 'list' ? toList(result.records) : undefined
    const body = list?.text ?? JSON.stringify(answer.value)
    const modified = result.type === 'record' ? modifiedOf(result.record) : undefined
    const kept = service.cacheControl(target.resource.name)
    const validators = toValidators(list?.tag ?? entityTag(body), modified)
    const response = toResponse(answer, body, kept, validators)
    const sent = toSent(response, toCorsHeaders(headers['origin']))
    const entry = toEntry({ method, request }, sent, { time: started, ms: clock.now() - started })
    entry.bytes = encode(body).length
    onAnswer(entry)
    return sent
  }
}

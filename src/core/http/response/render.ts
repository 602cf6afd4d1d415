import type { Answer, Result, RenderContext } from '../../dialects/contract/dialect.ts'
import type { Exchange } from '../contract/exchange.ts'
import { type MockResponse, isSafe } from '../contract/messages.ts'
import { represent, type Validity } from './represent.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { withoutHidden } from '../resource/record-view.ts'

/** Renders a result. It has validators (RFC 9110 §8.8) if its body is what a GET would return now. */
export function render(exchange: Exchange, result: Result): MockResponse {
  const shown = withoutHiddenFields(withClientLocation(result, exchange), exchange)
  const answer = exchange.service.dialect.render(shown, exchange)
  const validity = validityOf(exchange, shown)
  // A record with hidden fields is a copy, which has no cached JSON.
  if (shown === result) validity.stored = storedIn(exchange, result)
  return writeRendered(exchange, answer, validity)
}

/** Writes the answer of a dialect as `represent` does, with absolute URLs in `Link` and `Location`. */
export function writeRendered(
  exchange: Exchange,
  answer: Answer,
  validity: Validity,
): MockResponse {
  return represent(exchange, withAbsoluteTargets(answer, exchange), validity)
}

/** Names a new record by the path that the client uses, if the URL of the request was rewritten. */
function withClientLocation(result: Result, { toClientUrl }: Exchange): Result {
  if (result.type !== 'record' || result.location === undefined || !toClientUrl) return result
  return { ...result, location: toClientUrl(result.location) }
}

/** Leaves the fields out that the option `hidden` of the resource names. */
function withoutHiddenFields(result: Result, exchange: Exchange): Result {
  const { name = '' } = exchange.target?.resource ?? {}
  if (!ownValue(exchange.service.rules, name)?.hidden) return result
  const hide = (record: JsonRecord): JsonRecord => withoutHidden(exchange, name, record)
  if (result.type === 'record') return { ...result, record: hide(result.record) }
  if (result.type === 'list') return { ...result, records: result.records.map(hide) }
  return result.type === 'records' ? { ...result, records: result.records.map(hide) } : result
}

function validityOf(exchange: Exchange, result: Result): Validity {
  const isUnchanged = exchange.params.length === 0
  const record = isUnchanged && result.type === 'record' ? result.record : undefined
  const modified = record && exchange.service.modifiedOf(record)
  const isCurrent = isSafe(exchange.method) || (isUnchanged && isStored(exchange, result))
  return { isCurrent, modified }
}

/** Returns the records of a result that are those of the store, or these with embedded ones; else undefined. */
function storedIn({ records, params }: Exchange, result: Result): Validity['stored'] {
  if (records.views.length > 0) return undefined
  if (result.type === 'record') return params.length === 0 ? result.record : undefined
  return result.type === 'list' && !result.asked.query.fields ? result.records : undefined
}

/** Whether a write responds with what the next GET responds with (RFC 9110 §9.3.4 for PUT). */
function isStored({ putBody }: Exchange, result: Result): boolean {
  if (result.type !== 'record' || result.action === 'removed') return false
  return result.action !== 'replaced' || JSON.stringify(putBody) === JSON.stringify(result.record)
}

/** Makes URLs in `Location` and `Link` (RFC 8288) absolute, so that a page of another origin can fetch them. */
function withAbsoluteTargets(answer: Answer, context: RenderContext): Answer {
  const { headers } = answer
  if (headers.length === 0) return answer
  const toAbsolute = ([name, value]: (typeof headers)[number]): (typeof headers)[number] => [
    name,
    ownValue(resolvers, name.toLowerCase())?.(value, context) ?? value,
  ]
  return { ...answer, headers: headers.map(toAbsolute) }
}

/** The functions that resolve the URLs in the value of a header, by its name. */
const resolvers: Readonly<Record<string, typeof resolve>> = {
  link: resolveLinks,
  location: resolve,
}

/** Resolves every target of a `Link` header; a quoted parameter can contain angle brackets, too. */
function resolveLinks(value: string, context: RenderContext): string {
  return value.replaceAll(/"(?:[^"\\]|\\.)*"|<([^>]*)>/g, (part, target?: string) =>
    target === undefined ? part : `<${resolve(target, context)}>`,
  )
}

/** Resolves a reference (RFC 3986 §5.2). Keeps dot segments, which clients remove. */
function resolve(reference: string, { origin, path }: RenderContext): string {
  if (reference.startsWith('//')) return origin.slice(0, origin.indexOf('/')) + reference
  if (reference.startsWith('/')) return origin + reference
  if (/^[a-z][a-z\d+.-]*:/i.test(reference)) return reference
  const base = reference.startsWith('?') ? path : path.slice(0, path.lastIndexOf('/') + 1)
  return origin + base + reference
}

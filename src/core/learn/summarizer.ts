import { isRecord } from '../json/json.ts'
import type { ExchangeSummary } from './learned.ts'
import { isSuccess, type ParsedExchange } from './parse/parsed-exchange.ts'
import { findList, findRecord } from './recognize/envelope.ts'
import { isAction, isIdLike } from './recognize/id-like.ts'
import { idOf } from './recognize/id-field.ts'
import { countOf } from '../text/count-of.ts'

/**
 * Creates a function that summarizes an exchange for the log of `mock record`, at once and before everything is
 * learned. The function judges by this exchange and the ids in earlier exchanges; `learnAll` reads all
 * exchanges and can decide otherwise.
 */
export function createSummarizer(): (exchange: ParsedExchange) => ExchangeSummary {
  /** The ids of known records by collection. */
  const known = new Map<string, Set<string>>()

  function count(resource: string, ids: readonly string[]): ExchangeSummary {
    const before = known.get(resource) ?? new Set()
    known.set(resource, before)
    const fresh = new Set(ids.filter((id) => !before.has(id))).size
    for (const id of ids) before.add(id)
    const records = `${countOf(ids.length, 'record')} of ${resource}`
    const text = fresh === 0 ? records : `${records} (${fresh} new)`
    return { kind: 'records', text, resource, count: ids.length, fresh }
  }

  return (exchange) => {
    const { method, segments, status, json, isEmpty } = exchange
    if (/^(?:HEAD|OPTIONS|CONNECT|TRACE)$/.test(method))
      return nothing(`a ${method} shows no record`)
    if (status < 200 || status === 304 || status === 206) return nothing(`status ${status}`)
    const last = segments.at(-1) ?? ''
    const isMember = segments.length > 1 && isIdLike(last)
    if (method === 'DELETE' && isSuccess(exchange) && isMember) {
      const resource = segments.at(-2) ?? ''
      known.get(resource)?.delete(last)
      return { kind: 'removed', text: `1 record of ${resource} removed`, resource, count: 1 }
    }
    if (json === undefined) {
      if (method === 'GET' || !isEmpty) return nothing('no JSON')
      return isMember && isSuccess(exchange) ? count(segments.at(-2) ?? '', [last]) : answer
    }
    if (!isSuccess(exchange) || isAction(last)) return answer
    const list = method === 'GET' ? findList(json, last) : undefined
    if (list && !isMember) {
      const ids = list.items.flatMap((item) => idOf(item) ?? [])
      return ids.length < list.items.length ? answer : count(last, ids.map(String))
    }
    if (isMember && isRecord(json)) return count(segments.at(-2) ?? '', [last])
    const created = method === 'POST' ? findRecord(json, last) : undefined
    const id = created && idOf(created.record)
    if (id !== undefined) return count(last, [String(id)])
    if (method !== 'GET' || !isRecord(json)) return answer
    return { kind: 'records', text: `1 record: ${last}`, resource: last, count: 1 }
  }
}

const answer: ExchangeSummary = { kind: 'answer', text: 'recorded answer' }

function nothing(why: string): ExchangeSummary {
  return { kind: 'nothing', text: `nothing: ${why}` }
}

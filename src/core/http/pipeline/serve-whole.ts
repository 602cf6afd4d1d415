import type {
  Answer,
  Call,
  CallBody,
  Change,
  Changes,
  Data,
} from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Collection } from '../../store/records/collection.ts'
import { ownValue } from '../../json/json.ts'
import { select } from '../../query/select.ts'
import { sortPage } from '../../query/sort.ts'
import { wait } from '../../time/wait.ts'
import { idOf } from '../../store/records/ids.ts'
import { content } from '../../store/records/resource.ts'
import { checkCoding, readJson } from '../resource/body.ts'
import type { Exchange, Write } from '../contract/exchange.ts'
import { andThen, type MaybePromise } from '../contract/messages.ts'
import { commit } from '../resource/commit.ts'
import { runQuery } from '../resource/list.ts'
import { viewOf, visibleMember, visibleRecords } from '../resource/record-view.ts'
import { type Target, toTarget, unknownResource } from '../routing/target.ts'
import { wrongMethod } from '../routing/wrong-method.ts'

/** Answers by `serve` of a dialect, and stores its changes. @throws MockError 404 outside of `base`, 405 if read-only */
export function serveWhole(exchange: Exchange): MaybePromise<Answer> {
  const { request, method, path, service, notFound } = exchange
  if (notFound && !path.startsWith(`${service.base}/`)) throw notFound
  const hasBody = !bodiless.has(method)
  if (hasBody && service.readOnly) {
    throw noWrite(exchange, 'the mock is read-only', 'READ_ONLY')
  }
  if (hasBody) checkCoding(request)
  const answer = (body: CallBody): MaybePromise<Answer> =>
    andThen(delay(exchange), () => serve(exchange, body))
  return andThen(hasBody ? readBody(exchange) : { text: '' }, answer)
}

function readBody({ request, service: { dialect, limits } }: Exchange): MaybePromise<CallBody> {
  if (dialect.readBody) return dialect.readBody(request, limits.maxBody)
  return andThen(request.text(limits.maxBody), (text) => ({ text }))
}

/** Finds the target by `locate` of a dialect with paths of its own. @throws MockError 404 */
export function locate({ path, method, headers, service }: Exchange): Target {
  const { base, store, dialect } = service
  const call = { method, headers, path: path.slice(base.length) }
  const isInside = path.startsWith(`${base}/`)
  const place = isInside ? dialect.locate?.(call, [...store.resources.keys()]) : undefined
  const resource = place && store.resources.get(place.name)
  if (!resource) throw unknownResource(path, service)
  const { id } = place
  return resource.kind === 'collection' && id !== undefined
    ? { kind: 'member', resource, id }
    : toTarget(resource)
}

/** Waits for the time that the dialect reads from the request; returns undefined for a request without a delay. */
function delay({ service, path, search, reasons }: Exchange): MaybePromise<void> {
  const call = { path: path.slice(service.base.length), search }
  const milliseconds = service.dialect.delay?.(call) ?? 0
  if (milliseconds <= 0) return undefined
  reasons.push(`delayed ${milliseconds} ms`)
  return wait(service.clock, milliseconds)
}

function serve(exchange: Exchange, body: CallBody): MaybePromise<Answer> {
  const data = toData(exchange)
  const ask = (): Answer | Changes => {
    const served = exchange.service.dialect.serve?.(toCall(exchange, body), data)
    if (served) return served
    throw new MockError('Failed to answer: serve() of the dialect returned nothing.')
  }
  let served = ask()
  if (!('changes' in served)) {
    if (served.reason !== undefined) exchange.reasons.push(served.reason)
    return served
  }
  let isFirst = true
  const plan = (): Write[] => {
    if (!isFirst) served = ask()
    isFirst = false
    return 'changes' in served ? served.changes.map((one) => toWrite(one, exchange)) : []
  }
  return andThen(commit(exchange, plan), (stored) => {
    if (!('changes' in served)) return served
    const names = served.changes.map(({ name }) => name)
    return served.answer(
      stored.map((record, at) => viewOf(exchange, names[at] ?? '').present(record)),
    )
  })
}

function toCall(exchange: Exchange, { text, form }: CallBody): Call {
  const { request, method, path, search, origin, headers, service } = exchange
  return {
    method,
    path: path.slice(service.base.length),
    search,
    url: origin + (exchange.rewritten ?? path + request.search),
    headers,
    text,
    ...(form && { form }),
    json: () => readJson(text, service.limits),
  }
}

function toWrite({ action, name, id, record }: Change, exchange: Exchange): Write {
  const resource = exchange.service.store.resources.get(name)
  if (!resource || resource.kind === 'document') {
    throw noWrite(exchange, 'it can only be read')
  }
  const held = resource.kind === 'singleton' ? resource.get() : resource.get(id ?? '')
  const previous = action === 'create' ? undefined : held
  const newId = record && resource.kind === 'collection' ? idOf(record, resource.idField) : id
  return {
    action,
    resource,
    record: record && viewOf(exchange, name).toStored(record, previous),
    ...(id !== undefined && { id }),
    ...(previous && { previous, isRenamed: newId !== id }),
  }
}

function toData(exchange: Exchange): Data {
  const { store, random, clock, relations, foreignKeySuffix } = exchange.service
  const collection = (name: string): Collection | undefined => {
    const resource = store.resources.get(name)
    return resource?.kind === 'collection' ? resource : undefined
  }
  return {
    names: () => [...store.resources.keys()],
    kindOf: (name) => store.resources.get(name)?.kind,
    read(name) {
      const resource = store.resources.get(name)
      if (resource?.kind === 'collection') {
        const sort = ownValue(exchange.service.rules, name)?.sort
        const records = visibleRecords(exchange, resource)
        return sort ? sortPage(records, [...sort]).slice(0, records.length) : records
      }
      if (resource?.kind === 'singleton') return viewOf(exchange, name).present(resource.get())
      return resource && content(resource)
    },
    idField: (name) => collection(name)?.idField ?? 'id',
    relations,
    foreignKeySuffix,
    find(name, id) {
      const found = collection(name)
      return found?.get(id) && visibleMember(exchange, found, id)
    },
    shown: (name, record) => viewOf(exchange, name).present(record),
    run(name, query) {
      const resource = store.resources.get(name)
      if (resource?.kind === 'collection') return runQuery(exchange, resource, query)
      const records =
        resource?.kind === 'singleton' ? [viewOf(exchange, name).present(resource.get())] : []
      const found = select({ records: () => records }, query)
      const { start = 0, end = found.length } = query.slice ?? {}
      return { records: found.slice(start, end), total: found.length }
    },
    foreignKeys: () => exchange.service.links.relations().all,
    described: exchange.service.described,
    fields(name) {
      const resource = store.resources.get(name)
      if (!resource || resource.kind === 'document') return []
      const view = viewOf(exchange, name)
      const hidden = ownValue(exchange.service.rules, name)?.hidden ?? []
      const records = resource.kind === 'collection' ? resource.records() : [resource.get()]
      const stored = resource.kind === 'collection' ? resource.keys() : Object.keys(resource.get())
      const isShown = (field: string): boolean => {
        if (hidden.includes(field) || view.isIdentity) return !hidden.includes(field)
        const one = records.find((record) => Object.hasOwn(record, field))
        return !one || Object.hasOwn(view.present(one), view.fieldName(field))
      }
      const shown = [...stored].filter(isShown).map(view.fieldName)
      return [...new Set([...shown, ...(view.derived?.names ?? [])])]
    },
    random,
    now: () => clock.now(),
  }
}

/** The methods without a body, which `serveWhole` does not read, and the only ones of a read-only mock. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])

function noWrite({ method, path }: Exchange, reason: string, code?: string): MockError {
  const allowed = [...bodiless]
  return wrongMethod(`${method} "${path}": ${reason}`, allowed, allowed, code)
}

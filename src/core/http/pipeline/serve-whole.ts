import type {
  Answer,
  Call,
  CallBody,
  CallTarget,
  Change,
  Changes,
  Result,
  Serve,
} from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { wait } from '../../time/wait.ts'
import { idOf } from '../../store/records/ids.ts'
import { checkCoding, readJson } from '../resource/body.ts'
import type { Exchange, Write } from '../contract/exchange.ts'
import { andThen, type MaybePromise } from '../contract/messages.ts'
import { commit } from '../resource/commit.ts'
import { toData } from '../resource/dialect-data.ts'
import { checkHasPlace, dependentsOf, withParent } from '../resource/member.ts'
import { viewOf, withoutHidden } from '../resource/record-view.ts'
import { type Target, toTarget, unknownResource } from '../routing/target.ts'
import { wrongMethod } from '../routing/wrong-method.ts'

/** Answers by a function of a dialect, and stores its changes. @throws MockError 404 outside of `base`, 405 if read-only */
export function serveWhole(exchange: Exchange, handle: Serve): MaybePromise<Answer | Result> {
  const { request, method, path, service, notFound } = exchange
  if (notFound && !path.startsWith(`${service.base}/`)) throw notFound
  const hasBody = !bodiless.has(method)
  if (hasBody && service.readOnly) {
    throw noWrite(exchange, 'the mock is read-only', 'READ_ONLY')
  }
  if (hasBody) checkCoding(request)
  const answer = (body: CallBody): MaybePromise<Answer | Result> =>
    andThen(delay(exchange), () => serve(exchange, body, handle))
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

function serve(exchange: Exchange, body: CallBody, handle: Serve): MaybePromise<Answer | Result> {
  const ask = (): Answer | Changes => {
    const served: ReturnType<Serve> | undefined = handle(toCall(exchange, body), toData(exchange))
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
    return 'changes' in served ? toWrites(served.changes, exchange) : []
  }
  return andThen(commit(exchange, plan), (stored) => {
    if (!('changes' in served)) return served
    return served.answer(
      served.changes.map(({ name }, at) => {
        const record = viewOf(exchange, name).present(stored[at] ?? {})
        return withoutHidden(exchange, name, record)
      }),
    )
  })
}

/** Describes the request for a function of a dialect. */
export function toCall(exchange: Exchange, { text, form }: CallBody): Call {
  const { request, method, path, search, params, origin, headers, service } = exchange
  return {
    method,
    path: path.slice(service.base.length),
    search,
    params,
    target: exchange.target && toCallTarget(exchange.target),
    url: origin + (exchange.rewritten ?? path + request.search),
    headers,
    text,
    ...(form && { form }),
    json: () => (exchange.body = readJson(text, service.limits)),
  }
}

function toCallTarget(target: Target): CallTarget {
  const { kind, resource } = target
  if (kind === 'member') return { name: resource.name, id: target.id, ...target.route }
  const parentKeys = kind === 'collection' && target.parent && withParent({}, target.parent)
  return { name: resource.name, ...(parentKeys && { parentKeys }) }
}

/** The writes of a request, in the order of its changes, and those of dependents behind them. */
function toWrites(changes: readonly Change[], exchange: Exchange): Write[] {
  const writes = changes.map((one) => toWrite(one, exchange))
  const removed = new Set(writes.filter(({ record }) => !record).map(({ previous }) => previous))
  const dependents = changes.flatMap(({ hasDependents }, at) => {
    const { resource, id = '', previous } = writes[at] ?? {}
    if (!hasDependents || resource?.kind !== 'collection' || !previous) return []
    return dependentsOf(exchange.service, { resource, id }, previous, [])
  })
  return [...writes, ...dependents.filter(({ previous }) => !removed.has(previous))]
}

function toWrite({ action, name, id, record, ...more }: Change, exchange: Exchange): Write {
  const resource = exchange.service.store.resources.get(name)
  if (!resource || resource.kind === 'document') {
    throw noWrite(exchange, 'it can only be read')
  }
  const held = resource.kind === 'singleton' ? resource.get() : resource.get(id ?? '')
  const previous = action === 'create' ? undefined : held
  const newId = record && resource.kind === 'collection' ? idOf(record, resource.idField) : id
  const { own, place, asksPermission } = more
  if (record && own && resource.kind === 'collection') checkHasPlace(record, resource.idField)
  return {
    action,
    resource,
    record: record && viewOf(exchange, name).toStored(record, previous),
    ...(own && { own }),
    ...(place !== undefined && { place }),
    ...(asksPermission && { asksPermission }),
    ...(id !== undefined && { id }),
    ...(previous && { previous, isRenamed: newId !== id }),
  }
}

/** The methods without a body, which `serveWhole` does not read, and the only ones of a read-only mock. */
const bodiless = new Set(['GET', 'HEAD', 'OPTIONS'])

function noWrite({ method, path }: Exchange, reason: string, code?: string): MockError {
  const allowed = [...bodiless]
  return wrongMethod(`${method} "${path}": ${reason}`, allowed, allowed, code)
}

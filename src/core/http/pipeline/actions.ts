import type { Answer, Result, Serve } from '../../dialects/contract/dialect.ts'
import type { Exchange, Routed } from '../contract/exchange.ts'
import { andThen, type MaybePromise, type MockResponse, isSafe } from '../contract/messages.ts'
import { checkAccept } from '../response/accept.ts'
import { noteUnusedParams } from '../resource/unused.ts'
import { render, writeRendered } from '../response/render.ts'
import { represent } from '../response/represent.ts'
import { serveWhole, toCall } from './serve-whole.ts'
import { toData } from '../resource/dialect-data.ts'
import { ownValue } from '../../json/json.ts'
import type { Service } from '../contract/service.ts'
import { list, query, queryTypes } from '../resource/list.ts'
import { create, patch, read, remove, replace } from '../resource/member.ts'
import { patchTypes } from '../resource/patch.ts'
import { findRoute, type FoundRoute, type Target } from '../routing/target.ts'
import { answerMethods, wrongMethod } from '../routing/wrong-method.ts'
import { MockError } from '../../errors/mock-error.ts'
import { isConditional, evaluateConditions, preconditionFailed } from '../response/settle.ts'

/** Runs the action of the target's kind and the method, or `serve` of a dialect that has it. */
export function act(exchange: Exchange): MaybePromise<Outcome> {
  const { path, notFound, access, service } = exchange
  const isRead = isSafe(exchange.method)
  // The root lists the resources, also for clients that only wait until the server is up.
  if (
    notFound?.status === 404 &&
    isRead &&
    !service.dialect.hasOwnPaths &&
    [service.base, `${service.base}/`, access.root].includes(path)
  ) {
    return represent(exchange, { status: 200, headers: [], value: notFound.extensions })
  }
  const { serve } = service.dialect
  if (serve) {
    if (exchange.target) checkAllowed(exchange as Routed)
    return served(exchange, serve)
  }
  const found = notFound ? findRoute(path, service) : routeOf(exchange.target)
  if (found) return serveRoute(exchange, found)
  if (notFound) throw notFound
  const routed = exchange as Routed
  if (routed.method === 'OPTIONS') return answerOptions(routed)
  const action = actionOf(routed)
  noteUnusedParams(routed)
  if (!isRead) {
    // A write is refused before anything of it is stored.
    checkTypes(routed)
    checkPreconditions(routed, routed)
  }
  return action(routed)
}

/** Checks that `Accept` allows the response, and what the dialect demands. @throws MockError 406 or 415 */
export function checkTypes(exchange: Exchange): void {
  checkAccept(exchange.headers['accept'])
  exchange.service.dialect.negotiate?.(exchange)
}

function served(exchange: Exchange, serve: Serve): MaybePromise<Outcome> {
  return andThen(serveWhole(exchange, serve), (answer) =>
    'status' in answer ? { type: 'served', answer } : answer,
  )
}

function routeOf(target: Target | undefined): FoundRoute | undefined {
  return target?.kind === 'member' ? target.route : undefined
}

/** Answers at a route of the dialect. @throws MockError 405 for another method */
function serveRoute(exchange: Exchange, { route }: FoundRoute): MaybePromise<Outcome> {
  const { service, method, request } = exchange
  const isOpen = (one: string): boolean => isSafe(one) || !service.readOnly
  const methods = route.methods.flatMap((one) => (one === 'GET' ? [one, 'HEAD'] : [one]))
  const answer = answerMethods(request, [...methods.filter(isOpen), 'OPTIONS'])
  if (answer) return { type: 'served', answer }
  checkTypes(exchange)
  if (!isSafe(method) && exchange.target) checkPreconditions(exchange, exchange as Routed)
  return served(exchange, route.serve)
}

/** The result of `act`: a result to render, the answer of a dialect with `serve`, or a complete response. */
export type Outcome = Result | { type: 'served'; answer: Answer } | MockResponse

/** The actions: the function that handles each HTTP method on each kind of target. HEAD runs the action of GET. */
const actions: { [Kind in Target['kind']]: Record<string, Action<Kind>> } = {
  collection: { GET: list, QUERY: query, POST: create },
  member: { GET: read, PUT: replace, PATCH: patch, DELETE: remove },
  singleton: { GET: read, PUT: replace, PATCH: patch },
  document: { GET: read },
}

/** Handles one method on one kind of target: reads or writes the store; the dialect renders the result. */
type Action<Kind extends Target['kind'] = Target['kind']> = (
  exchange: Routed<Extract<Target, { kind: Kind }>>,
) => MaybePromise<Outcome>

/** The action of a request. @throws MockError 405 with `Allow` when its target has no such method */
function actionOf({ request, method, target, service }: Routed): Action {
  const row = actions[target.kind] as Record<string, Action>
  const serve = ownActions(service, target.kind)?.[method]
  const action: Action | undefined = serve
    ? (exchange) => served(exchange, serve)
    : ownValue(row, method === 'HEAD' ? 'GET' : method)
  const allowed = methodsAt(target, service)
  if (action && allowed.includes(method)) return action
  const isClosed = action && service.readOnly && !isSafe(method)
  const reason = isClosed
    ? 'the mock is read-only'
    : method === 'POST' && isJoined(target)
      ? 'the relation is many-to-many'
      : ownValue(service.rules, target.resource.name)?.methods && action
        ? `"${target.resource.name}" does not allow it`
        : `a ${target.kind} has no such method`
  const problem = `${method} "${request.path}": ${reason}`
  throw wrongMethod(problem, allowed, allowed, isClosed ? 'READ_ONLY' : undefined)
}

/** Checks the option `methods` for a dialect with methods of its own. @throws MockError 405 with `Allow` */
function checkAllowed({ request, method, target: { kind, resource }, service }: Routed): void {
  const given = ownValue(service.rules, resource.name)?.methods
  if (!given || method === 'OPTIONS' || given.includes(isSafe(method) ? 'GET' : method)) return
  const allowed = methodsOf(kind, resource.name, service)
  const problem = `${method} "${request.path}": "${resource.name}" does not allow it`
  throw wrongMethod(problem, allowed)
}

/** Returns the result of a GET of the target, without a promise. */
function readOf(exchange: Routed): Result {
  const { target } = exchange
  return target.kind === 'collection'
    ? list({ ...exchange, target })
    : read({ ...exchange, target })
}

/** Answers OPTIONS with the methods of the target and the media types that they accept (RFC 9110 §9.3.7). */
function answerOptions({ target, service }: Routed): MockResponse {
  const methods = methodsAt(target, service)
  const headers: MockResponse['headers'] = [
    ['Allow', methods.join(', ')],
    ['Cache-Control', 'no-store'],
  ]
  const { bodyType = patchTypes.join(', ') } = service.dialect
  if (methods.includes('PATCH')) headers.push(['Accept-Patch', bodyType])
  if (methods.includes('QUERY')) headers.push(['Accept-Query', queryTypes.join(', ')])
  return { status: 204, headers, body: null }
}

/** The HTTP methods of each kind of target, in the order of the header `Allow`: HEAD follows GET, OPTIONS is last. */
const methods = Object.fromEntries(
  Object.entries(actions).map(([kind, row]) => {
    const [first = '', ...others] = Object.keys(row)
    return [kind, [first, 'HEAD', ...others, 'OPTIONS']]
  }),
)

/** Returns the methods of a kind of target of a resource, in the order of `Allow`; a read-only mock has no writes. */
export function methodsOf(
  kind: Target['kind'],
  resource: string,
  service: Pick<Service, 'readOnly' | 'rules' | 'dialect'>,
): string[] {
  const { readOnly, rules } = service
  const given = ownValue(rules, resource)?.methods
  const own = ownActions(service, kind)
  const usual = methods[kind] ?? []
  const known = own ? [...new Set([...usual.slice(0, -1), ...Object.keys(own), 'OPTIONS'])] : usual
  return known.filter((one) => {
    if (one === 'OPTIONS') return true
    if (own?.[one] === null) return false
    if (readOnly && !isSafe(one)) return false
    // GET stands for every safe method.
    return !given || given.includes(isSafe(one) ? 'GET' : one)
  })
}

function ownActions(
  { dialect }: Pick<Service, 'dialect'>,
  kind: Target['kind'],
): Readonly<Record<string, Serve | null>> | undefined {
  return kind === 'document' ? undefined : dialect.actions?.[kind]
}

function methodsAt(target: Target, service: Service): string[] {
  return methodsOf(target.kind, target.resource.name, service).filter((one) =>
    one === 'POST' ? !isJoined(target) : one !== 'QUERY' || service.dialect.parseQuery,
  )
}

/** Whether the path leads through a join collection, so that POST has no foreign key to set. */
function isJoined(target: Target): boolean {
  const parent = target.kind === 'collection' ? target.parent : undefined
  return parent !== undefined && !parent.related.relation
}

/** Checks the conditions of a write, now and when it is stored (RFC 9110 §13.2.2). @throws MockError 412, or 428 */
export function checkPreconditions(exchange: Exchange, routed: Routed): void {
  exchange.recheckPreconditions = toCheck(routed)
  exchange.recheckPreconditions?.()
}

function toCheck(routed: Routed): (() => void) | undefined {
  const { request, target, service } = routed
  const { headers } = request
  const { preconditions } = service
  const isCollection = target.kind === 'collection'
  const hasMatch = headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined
  const isRequired =
    preconditions === true || (preconditions && preconditions.includes(target.resource.name))
  if (!isCollection && !hasMatch && isRequired) {
    // A record that does not exist is 404, with or without a precondition.
    currentHeaders(routed)
    throw preconditionRequired(request.method, request.path)
  }
  if (!isConditional(headers)) return undefined
  // On a collection `If-None-Match: *` is about the record to be created, as the collection exists.
  const asked = isCollection ? { ...headers, 'if-none-match': undefined } : headers
  return () => {
    if (evaluateConditions(asked, currentHeaders(routed), false) !== 'go')
      throw preconditionFailed(request)
  }
}

function currentHeaders(routed: Routed): MockResponse['headers'] {
  const read: Routed = { ...routed, method: 'GET', reasons: [] }
  const answer = routeOf(routed.target)?.route.serve(toCall(read, { text: '' }), toData(read))
  if (answer && 'status' in answer) return writeRendered(read, answer, { isCurrent: true }).headers
  return render(read, readOf(read)).headers
}

function preconditionRequired(method: string, path: string): MockError {
  return new MockError(
    `Failed to ${method} "${path}": it takes no write without a precondition. Please send If-Match with the ETag of the last GET.`,
    { status: 428, code: 'PRECONDITION_REQUIRED' },
  )
}

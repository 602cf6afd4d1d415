import { isWithin } from '../url/base.ts'
import { controlHeader, controlPath } from '../url/control-path.ts'
import { type Json, ownValue } from '../json/json.ts'
import { MockError } from '../errors/mock-error.ts'
import { isSameOrigin } from '../http/cors/access.ts'
import { type Access, type Answerer } from '../http/contract/answerer.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import {
  andThen,
  bearerOf,
  type HeaderList,
  type MaybePromise,
  type MockRequest,
  type MockResponse,
  tryOr,
} from '../http/contract/messages.ts'
import { prefersHtml } from '../http/response/accept.ts'
import { toLimits } from '../http/contract/limits.ts'
import { suggest } from '../errors/nearest.ts'
import { decode } from '../url/pattern.ts'
import { problemType, toProblem } from '../errors/problem.ts'
import { archiveControls } from './archive.ts'
import {
  type Control,
  type ControlAnswer,
  type Controls,
  paramOf,
  noSuchRequest,
} from './contract.ts'
import { documentControls } from './documents.ts'
import { generateControls } from './generate.ts'
import { controls } from './routes.ts'
import { sessionOf } from './session-of.ts'

/** Adds `/__mock` and the home page: no CORS, no pages of other origins, and a token if other machines can reach it. */
export function withControl(mock: MockInternals, home?: Home): Answerer {
  return withControls(mock, [controls, documentControls, archiveControls, generateControls], home)
}

/** Adds the control API with these endpoints only: a bundle, such as a worker, has no others. */
export function withControls(
  mock: MockInternals,
  parts: readonly Controls[],
  home?: Home,
): Answerer {
  return {
    base: mock.base,
    background: mock.background,
    owns: (path, search) => isWithin(path, controlPath) || mock.owns(path, search),
    handle(request, access) {
      const page = home && isForHome(request)
      if (!page && !isWithin(request.path, controlPath)) return mock.handle(request, access)
      return tryOr(
        () => {
          access.check?.(request)
          if (page) return home(request.path).then((found) => found ?? mock.handle(request, access))
          checkCaller(request, access)
          return mock.afterPersisted(answer(mock, parts, request, access))
        },
        (error) => {
          if (!(error instanceof MockError))
            mock.onFailure(error, `control the mock by ${request.method} "${request.path}"`)
          return toResponse(error)
        },
      )
    },
  }
}

/** Returns the home page, the API reference or a file of these; undefined for any other path. */
export type Home = (path: string) => Promise<MockResponse | undefined>

/** Whether a request is for the control API or the home page, rather than for the mock. */
export function isControlRequest(request: MockRequest): boolean {
  return isWithin(request.path, controlPath) || isForHome(request)
}

/** Whether a request is a browser opening a page with data: the home page or the API reference. */
export function isPageRequest(request: MockRequest): boolean {
  return isForHome(request) && (request.path === '/' || request.path === `${controlPath}/docs`)
}

/** Whether a browser opens the root or the API reference, or loads files of these pages. */
function isForHome({ method, path, headers }: MockRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (path === '/') return prefersHtml(headers)
  return isWithin(path, `${controlPath}/home`) || isWithin(path, `${controlPath}/docs`)
}

function checkCaller(request: MockRequest, { token }: Access): void {
  if (!isSameOrigin(request)) {
    throw new MockError(
      'Failed to control the mock: pages of other origins are not allowed. Please use the page at "/", or a client that is not a browser.',
      { status: 403, code: 'ORIGIN_FOREIGN' },
    )
  }
  if (token === undefined || hasToken(request, token)) return
  throw new MockError(
    'Failed to control the mock: the token is missing or wrong. Please send "Authorization: Bearer" with the token printed at the start, or "?token=" in the URL.',
    { status: 401, code: 'TOKEN_MISSING', headers: [['WWW-Authenticate', 'Bearer realm="mock"']] },
  )
}

function answer(
  whole: MockInternals,
  parts: readonly Controls[],
  request: MockRequest,
  access: Access,
): MaybePromise<MockResponse> {
  const path = request.path.slice(controlPath.length + 1)
  const [control = '', ...rest] = path.split('/').filter(Boolean).map(decode)
  // A path can hold neither an empty segment nor `..`, which ids and names of snapshots can be.
  const last = paramOf(request, 'id')
  if (last !== undefined) rest.push(last)
  // `read` passes a session on to the pipeline, which finds the fork itself.
  const mock = control === 'sessions' || control === 'read' ? whole : sessionOf(whole, request)
  const run = findControl(control, rest, parts, mock, request)
  const [name = '', id = ''] = rest
  return andThen(readInput(request), (input) =>
    andThen(run({ mock, whole, input, name, id, rest, request, access }), write),
  )
}

function findControl(
  name: string,
  rest: readonly string[],
  parts: readonly Controls[],
  mock: MockInternals,
  request: MockRequest,
): Control {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const builtIn = parts.find((part) => Object.hasOwn(part, name))?.[name]
  if (builtIn) {
    const patterns = [rest, rest.map((_, at) => (at === 0 ? ':name' : ':id')), ['*']]
    const control = patterns
      .map((pattern) => ownValue(builtIn, [method, ...pattern].join(' ')))
      .find((one) => one !== undefined)
    if (control) return control
    throw noSuchControl(request, name, builtIn)
  }
  const own = mock.behaviours.find((one) => one.name === name && one.controls)?.controls ?? {}
  if (Object.keys(own).length === 0) throw unknown(name, parts, mock)
  const control = ownValue(own, [method, ...rest].join(' '))
  if (control) return ({ input }) => andThen(control(input), (value) => ({ value }))
  throw noSuchControl(request, name, own)
}

/** The largest body, in bytes: as large as that of a request to the API, unless `maxBody` changes it. */
const { maxBody } = toLimits({})

function readInput(request: MockRequest): MaybePromise<Json> {
  if (request.method === 'GET' || request.method === 'HEAD') return null
  return andThen(request.text(maxBody), (text) => {
    if (text.trim() === '') return null
    try {
      return JSON.parse(text) as Json
    } catch (cause) {
      throw new MockError('Failed to read the body: it is not JSON. Please check its syntax.', {
        status: 400,
        cause,
      })
    }
  })
}

function write(answered: ControlAnswer | MockResponse): MockResponse {
  if ('headers' in answered) return answered
  const { status = 200, tag, value, type, body } = answered
  const etag: HeaderList = tag === undefined ? [] : [['ETag', tag]]
  const text = body ?? `${JSON.stringify(value, null, 2)}\n`
  return {
    status,
    headers: [
      ['Content-Type', type ?? 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ['X-Content-Type-Options', 'nosniff'],
      [...controlHeader],
      ...etag,
    ],
    body: text,
  }
}

function toResponse(error: unknown): MockResponse {
  const problem =
    error instanceof MockError
      ? error
      : new MockError(`Failed to control the mock: ${String(error)}.`, {
          status: 400,
          cause: error,
        })
  const { message, headers, code, errors, extensions } = problem
  const status = code === 'CONFIG_INVALID' ? 400 : problem.status
  const value = toProblem(status, message, { code, errors, ...extensions })
  const answered = write({ status, value, type: problemType })
  return { ...answered, headers: [...answered.headers, ...headers] }
}

function unknown(
  name: string,
  parts: readonly Controls[],
  { behaviours }: MockInternals,
): MockError {
  const known = [
    ...parts.flatMap((one) => Object.keys(one)).filter(Boolean),
    ...behaviours.filter((one) => one.controls).map((one) => one.name),
  ]
  return new MockError(`Failed to find the control "${name}". ${suggest(name, known)}`, {
    status: 404,
    code: 'NOT_FOUND',
  })
}

function noSuchControl({ method, path }: MockRequest, name: string, controls: object): MockError {
  return noSuchRequest(`${method} "${path}": there is no such control`, name, Object.keys(controls))
}

/** Whether a request has the token, which other machines need, in `Authorization` or the query. */
export function hasToken(request: MockRequest, token: string): boolean {
  return tokensOf(request).some((sent) => isSame(sent, token))
}

/** `/__mock/read` can have the token in the query: its header may hold a token of `auth`. */
function tokensOf(request: MockRequest): string[] {
  return [bearerOf(request), paramOf(request, 'token')].filter((one) => one !== undefined)
}

/** Compares strings in constant time, so that the time does not reveal the position of a difference. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let at = 0; at < right.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}

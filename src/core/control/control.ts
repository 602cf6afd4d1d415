import { isWithin } from '../url/base.ts'
import { type Json, ownValue } from '../json/json.ts'
import { MockError } from '../errors/mock-error.ts'
import { isSameOrigin } from '../http/cors/access.ts'
import { type Access, type Answerer, afterPersisted } from '../http/contract/answerer.ts'
import type { Controlled, Hooks } from '../http/contract/behaviour.ts'
import {
  after,
  type MaybePromise,
  type MockRequest,
  type MockResponse,
} from '../http/contract/messages.ts'
import { rescue } from '../http/pipeline/rescue.ts'
import { suggest } from '../errors/nearest.ts'
import { parseParams } from '../url/params.ts'
import { decode } from '../url/pattern.ts'
import { phraseOf } from '../errors/status.ts'
import { type Control, type ControlAnswer, controls } from './routes.ts'

/** Below it the mock is steered, whatever its base. */
const place = '/__mock'

/** Hands out the home page, or one of its files; undefined for any other path. */
export type Home = (path: string) => Promise<MockResponse | undefined>

/**
 * Puts the control in front of a mock: below `/__mock`, without CORS, refused to pages of another
 * origin, and with a token where the server listens beyond this machine; and the home page, for a
 * browser that opens `/`.
 */
export function withControl(mock: Controlled, home?: Home): Answerer {
  return {
    base: mock.base,
    background: mock.background,
    owns: (path) => isWithin(path, place) || mock.owns(path),
    handle(request, access) {
      const page = home && isForHome(request)
      if (!page && !isWithin(request.path, place)) return mock.handle(request, access)
      return rescue(
        () => {
          access.check?.(request)
          if (page) return home(request.path).then((found) => found ?? mock.handle(request, access))
          checkCaller(request, access)
          return afterPersisted(answer(mock, request), mock.background)
        },
        (error) => {
          if (!(error instanceof MockError))
            mock.onFailure(error, `steer the mock by ${request.method} "${request.path}"`)
          return toResponse(error)
        },
      )
    },
  }
}

/** A browser that opens the root, or the page that asks for its files. */
function isForHome({ method, path, headers }: MockRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return path === '/'
    ? (headers['accept'] ?? '').startsWith('text/html')
    : path.startsWith(`${place}/home/`)
}

/** Refuses pages of other origins, and from beyond this machine whoever does not know the token. */
function checkCaller(request: MockRequest, { token }: Access): void {
  if (!isSameOrigin(request)) {
    throw new MockError(
      'Failed to steer the mock: a page of another origin may not. Please use the page at "/", or a program.',
      { status: 403, code: 'ORIGIN_FOREIGN' },
    )
  }
  if (token === undefined || isSame(tokenOf(request) ?? '', token)) return
  throw new MockError(
    'Failed to steer the mock: the token is missing or wrong. Please send "Authorization: Bearer" with the one printed at the start, or "?token=" in the URL.',
    { status: 401, code: 'TOKEN_MISSING', headers: [['WWW-Authenticate', 'Bearer realm="mock"']] },
  )
}

function tokenOf({ headers, search }: MockRequest): string | undefined {
  const sent = /^Bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
  return sent ?? parseParams(search).find(([name]) => name === 'token')?.[1]
}

/** Compares in a time that tells nothing of where two texts of one length differ. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let at = 0; at < right.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}

function answer(whole: Controlled, request: MockRequest): MaybePromise<MockResponse> {
  const segments = request.path
    .slice(place.length + 1)
    .split('/')
    .filter(Boolean)
  const [name = '', ...rest] = segments.map(decode)
  const mock = name === 'sessions' ? whole : sessionOf(whole, request)
  const row = ownValue(controls, name)
  const own = mock.behaviours.find((one) => one.name === name && one.controls)?.controls ?? {}
  if (!row && Object.keys(own).length === 0) throw unknown(name, mock)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const action = row
    ? ownValue(row, [method, ...rest.map(() => ':name')].join(' '))
    : toControl(ownValue(own, [method, ...rest].join(' ')))
  if (!action) throw wrongMethod(request, Object.keys(row ?? own))
  return after(readInput(request), (input) =>
    after(action({ mock, input, name: rest[0] ?? '', request }), write),
  )
}

/** The world of the session that a request names, which alone it steers; else the whole mock. */
function sessionOf(mock: Controlled, request: MockRequest): Controlled {
  const sessions = mock.behaviours.find(({ name }) => name === 'sessions')
  const session = sessions?.divert?.(request)
  return session && 'behaviours' in session ? (session as Controlled) : mock
}

/** What a behaviour offers, as one of the controls. */
function toControl(offered: Offered | undefined): Control | undefined {
  return offered && (({ input }) => after(offered(input as Json), (value) => ({ value })))
}

type Offered = NonNullable<Hooks['controls']>[string]

/** The JSON that is sent, or null for nothing. */
function readInput(request: MockRequest): MaybePromise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return null
  return after(request.text(1024 * 1024), (text) => {
    if (text.trim() === '') return null
    try {
      return JSON.parse(text) as unknown
    } catch (cause) {
      throw new MockError('Failed to read the body: it is not JSON. Please check its syntax.', {
        status: 400,
        cause,
      })
    }
  })
}

function write({ status = 200, value, type, body }: ControlAnswer): MockResponse {
  const text = body ?? `${JSON.stringify(value, null, 2)}\n`
  return {
    status,
    headers: [
      ['Content-Type', type ?? 'application/json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: text,
  }
}

function toResponse(error: unknown): MockResponse {
  const problem =
    error instanceof MockError
      ? error
      : new MockError(`Failed to steer the mock: ${String(error)}.`, { status: 400, cause: error })
  const { message, headers } = problem
  const status = problem.code === 'CONFIG_INVALID' ? 400 : problem.status
  const title = phraseOf(status)
  const answered = write({
    status,
    value: { type: 'about:blank', title, status, detail: message, message },
    type: 'application/problem+json; charset=utf-8',
  })
  return { ...answered, headers: [...answered.headers, ...headers] }
}

function unknown(name: string, { behaviours }: Controlled): MockError {
  const known = [
    ...Object.keys(controls).filter((key) => key !== ''),
    ...behaviours.filter((one) => one.controls).map((one) => one.name),
  ]
  return new MockError(`Failed to find the control "${name}". ${suggest(name, known)}`, {
    status: 404,
    code: 'NOT_FOUND',
  })
}

function wrongMethod({ method, path }: MockRequest, keys: readonly string[]): MockError {
  const allow = [...new Set(keys.map((key) => key.split(' ', 1)[0] ?? ''))].join(', ')
  return new MockError(
    `Failed to ${method} "${path}": there is no such control. Please use one of ${keys.join(', ')}.`,
    { status: 405, headers: [['Allow', allow]] },
  )
}

import type { Answer } from '../../core/dialects/contract/dialect.ts'
import { checkOptions, isCallable, isOneOf, isText, wrong } from '../../core/errors/check.ts'
import type { Behaviour, MockContext } from '../../core/http/contract/behaviour.ts'
import type { Exchange, LoginTokens } from '../../core/http/contract/exchange.ts'
import type { Limits } from '../../core/http/contract/limits.ts'
import {
  type FormField,
  type HeaderList,
  type MaybePromise,
  type MockRequest,
  type MockResponse,
  andThen,
} from '../../core/http/contract/messages.ts'
import { invalidBody, mediaType, noteBody, readJson } from '../../core/http/resource/body.ts'
import { answerMethods } from '../../core/http/routing/wrong-method.ts'
import { type JsonRecord, clone, toJson } from '../../core/json/json.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Random } from '../../core/time/random.ts'
import type { AnyResource, Db } from '../../core/types/db-types.ts'
import { type Pattern, isMatched, parsePattern } from '../../core/url/pattern.ts'

/**
 * Answers requests with functions of your own. The first matching route answers; routes with
 * `place: 'after'` come last.
 * @throws MockError when a route is wrong
 * @example routes({ 'POST /checkout/:id': (request, { db, params }) => db.orders.update(params.id, { paid: true }) })
 */
export function routes<Data = Record<string, AnyResource>>(
  table: readonly RouteRow<Data>[] | Readonly<Record<string, RouteHandler<Data>>>,
): Behaviour {
  const all = toRows(table)
  const before = all.filter(({ place }) => place === 'before')
  const rows = [...before, ...all.filter(({ place }) => place === 'after')]
  return {
    name: 'routes',
    create(world) {
      const { service } = world
      return {
        at: {
          resource(exchange) {
            const { method, path, target } = exchange
            const below = path.slice(service.base.length)
            const candidates = target ? before : rows
            const row = candidates.find(({ pattern }) => isMatched(pattern, method, below))
            if (row && !forbiddenMethods.has(method)) return call(row, exchange, world)
            if (target) return undefined
            return refuse(
              candidates.filter(({ pattern }) => pattern.match(below)),
              exchange,
            )
          },
        },
        routes: rows.map(({ methods, path }) => ({ methods, path })),
        describe: () => ({
          operation: ({ method, path }) =>
            before.some(({ pattern }) => isMatched(pattern, method, path))
              ? { isOpen: true }
              : undefined,
        }),
      }
    },
  }
}

/** The second argument of a function in `routes`: the data, path parameters, user, clock and random numbers. */
export interface RouteContext<Data = Record<string, AnyResource>> {
  /** The data, without the hooks of behaviours. */
  db: Db<Data>
  /** The parameters of the path: `{ id: '1' }` for `/posts/:id`. */
  params: Record<string, string>
  /** The user that `auth` has identified, if any. */
  user: JsonRecord | undefined
  /**
   * Logs a user in, by record or id, as a login does: the response gets the cookie, and the tokens are returned,
   * as the schemes of `auth` say. @throws MockError without `auth` in `use`, and for an unknown user
   */
  login(user: JsonRecord | string | number): Promise<Partial<LoginTokens>>
  clock: Clock
  /** Random numbers: the same for the same seed. */
  random: Random
}

/** Answers with a `Response`, a value for JSON, or undefined (204); a MockError becomes its problem. */
export type RouteHandler<Data = Record<string, AnyResource>> = (
  request: Request,
  context: RouteContext<Data>,
) => unknown

/** A route in the list form of `routes`. */
export interface RouteRow<Data = Record<string, AnyResource>> {
  /** `POST /checkout/:id`, `/anything/*`; GET matches HEAD and QUERY too. */
  on: string
  answer: RouteHandler<Data>
  /** Whether the route wins over a resource at its path, or applies only without one. @default 'before' */
  place?: 'before' | 'after'
}

interface Route<Data> extends Required<RouteRow<Data>> {
  pattern: Pattern
  methods: readonly string[]
  path: string
}

/** The methods that `new Request` rejects (Fetch §2.2.1). */
const forbiddenMethods = new Set(['CONNECT', 'TRACE', 'TRACK'])

function toRows<Data>(table: Parameters<typeof routes<Data>>[0]): Route<Data>[] {
  const subject = 'the options of "routes"'
  if (!Array.isArray(table)) checkOptions(subject, table)
  const given = Array.isArray(table)
    ? (table as readonly RouteRow<Data>[])
    : Object.entries(table as Record<string, RouteHandler<Data>>).map(([on, answer]) => ({
        on,
        answer,
      }))
  return given.map((row) => {
    checkOptions(
      Array.isArray(table) ? subject : `the route "${row.on}"`,
      row,
      { on: isText, answer: isCallable, place: isOneOf('before', 'after') },
      ['on', 'answer'],
    )
    const pattern = parsePattern(row.on)
    const path = row.on.trim().split(/\s+/).at(-1) ?? ''
    if (!path.startsWith('/')) {
      throw wrong(
        subject,
        `"${row.on}" has no path. Please write a method and a path, as in "GET /hello".`,
      )
    }
    return { place: 'before', ...row, pattern, methods: pattern.methods ?? ['*'], path }
  })
}

function call<Data>(
  { on, answer, pattern }: Route<Data>,
  exchange: Exchange,
  { db, clock, random, service }: MockContext,
): MaybePromise<MockResponse | { status: number; headers: []; value: unknown }> {
  exchange.reasons.push(`route "${on}"`)
  const { user } = exchange
  const context: RouteContext<Data> = {
    db: db as unknown as Db<Data>,
    params: pattern.match(exchange.path.slice(service.base.length)) ?? {},
    user: clone(user),
    async login(user) {
      if (!exchange.login) throw wrong(`the route "${on}"`, 'it logs in without "auth" in "use".')
      return exchange.login(user)
    },
    clock,
    random,
  }
  const { limits } = service
  const converted = andThen(noteBody(exchange), () => toRequest(exchange.request, limits.maxBody))
  return andThen(converted, async (request) => {
    const value = await answer(withReaders(request, limits), context)
    if (value instanceof Response) return fromResponse(value)
    checkValue(value)
    return { status: value === undefined ? 204 : 200, headers: [], value }
  })
}

/** @throws TypeError when a value is neither JSON nor undefined, such as a function or a Map */
function checkValue(value: unknown): void {
  const isPlain = Array.isArray(value) || {}.toString.call(value) === '[object Object]'
  if (value !== undefined && !isPlain) toJson(value)
}

/** Answers OPTIONS and 405 for a path whose routes have other methods; undefined for a path without routes. */
function refuse<Data>(rows: readonly Route<Data>[], exchange: Exchange): Answer | undefined {
  if (rows.length === 0) return undefined
  const methods = new Set(rows.flatMap((row) => row.methods))
  if (methods.has('GET')) for (const read of ['HEAD', 'QUERY']) methods.add(read)
  return answerMethods(exchange, [...methods, 'OPTIONS'])
}

/** Converts a request for a function in `routes`. @throws MockError 413 when the body exceeds `limit` bytes */
async function toRequest(request: MockRequest, limit: number): Promise<Request> {
  const { method, path, search, origin } = request
  const url = `${URL.canParse(origin) ? origin : 'http://localhost'}${path}${search}`
  const headers = toHeaders(request)
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  const isForm = mediaType(request) === 'multipart/form-data'
  // `FormData` gets a new boundary.
  if (isForm) headers.delete('content-type')
  const body = isForm ? toFormData(await request.form(limit)) : await readWhole(request, limit)
  return new Request(url, { method, headers, ...(body && { body }) })
}

/** Reads the body: as bytes if the face can give bytes, otherwise as text; undefined for an empty body. */
async function readWhole(
  { text, bytes }: MockRequest,
  limit: number,
): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
  if (!bytes) return (await text(limit)) || undefined
  const whole = await bytes(limit)
  return whole.length > 0 ? (whole as Uint8Array<ArrayBuffer>) : undefined
}

/** Converts the `Response` of a function: an event stream stays one, other bodies are read, an error drops it. */
async function fromResponse(response: Response): Promise<MockResponse> {
  const { status, body, url } = response
  const omitted = url === '' ? /^set-cookie$/ : connectionHeaders
  const headers: HeaderList = [...response.headers].filter(([name]) => !omitted.test(name))
  for (const cookie of response.headers.getSetCookie()) headers.push(['Set-Cookie', cookie])
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (body === null || isStream) return { status, headers, body }
  return { status, headers, body: new Uint8Array(await response.arrayBuffer()) }
}

/** Lets `json()` and `formData()` reject with a MockError 400 for a malformed body, which blames the client. */
function withReaders(request: Request, limits: Limits): Request {
  const { formData } = Request.prototype
  return Object.defineProperties(request, {
    json: { value: async () => readJson(await request.text(), limits) },
    formData: {
      value: async () => {
        const { bodyUsed } = request
        try {
          return await formData.call(request)
        } catch (cause) {
          throw bodyUsed ? cause : invalidBody('it is not a form', 'Please send a form.', cause)
        }
      },
    },
  })
}

/**
 * The headers of another server's response that the mock does not pass on: they describe that connection, the coding
 * that `fetch` has removed, or the CORS rules of the other server. Cookies are added line by line.
 */
const connectionHeaders =
  /^(?:access-control-.*|connection|content-encoding|keep-alive|set-cookie|trailer|upgrade)$/

/** Converts the headers, without those that the new request sets itself: `Host` and `Content-Length`. */
function toHeaders({ headers }: MockRequest): Headers {
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !/^:|^(?:host|content-length)$/.test(name)) kept.set(name, value)
  }
  return kept
}

function toFormData(fields: readonly FormField[]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, toFile(value))
  }
  return form
}

function toFile({ name, type, url }: Exclude<FormField[1], string>): File {
  const binary = atob(url.slice(url.lastIndexOf(',') + 1))
  return new File([Uint8Array.from(binary, (char) => char.charCodeAt(0))], name, { type })
}

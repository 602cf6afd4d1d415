import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isControlRequest } from '../../core/control/control.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import type { Controlled } from '../../core/http/contract/behaviour.ts'
import type { MockRequest } from '../../core/http/contract/messages.ts'
import { corsHeaders } from '../../core/http/cors/origins.ts'
import { isPreflight } from '../../core/http/cors/preflight.ts'
import type { Middleware, MiddlewareFile } from '../../core/mock/serve-options.ts'
import { loadExpress } from './express.ts'
import type { ServerAccess } from './http/access.ts'
import { answer, fail, write } from './http/answer.ts'
import type { ExpressRequest, ExpressResponse } from './http/express.ts'
import { createErrorLog, type ErrorLog, watchErrors } from './http/middleware-errors.ts'
import {
  exposeRequest,
  findChanges,
  hasParsedBody,
  parseBody,
  type OriginalRequest,
} from './http/middleware-request.ts'
import { keepHeaders, sendByOwn } from './http/middleware-response.ts'
import { dropConnection, refuseRequest } from './http/refuse.ts'
import { readBytes, toMockRequest } from './http/request.ts'

/** Passes a request through middlewares; a request that no middleware answers goes to the mock. */
export type RunMiddlewares = (
  request: IncomingMessage,
  response: ServerResponse,
  onRead?: () => void,
) => void

/** A request on its way through the middlewares. */
interface Run extends OriginalRequest {
  /** The error of reading the body, which the mock answers. */
  unread?: Error
  /** The headers of the response from before the middlewares. */
  presets: OutgoingHttpHeaders
  errors: ErrorLog
  /** Whether the mock answers. */
  isPassed: boolean
}

/**
 * Creates an application of Express that runs middlewares in front of a mock. Preflights, the control API and
 * requests that the server refuses go straight to the mock.
 * @throws MockError when the package `express` is not installed
 */
export function createMiddlewares(
  list: readonly (Middleware | MiddlewareFile)[],
  mock: Controlled,
  answerer: Answerer,
  access: ServerAccess,
): RunMiddlewares {
  const runs = new WeakMap<IncomingMessage, Run>()
  const runOf = (request: IncomingMessage): Run => runs.get(request) as Run
  const app = loadExpress()
  app.use((request: ExpressRequest, _response: ExpressResponse, next: () => void) => {
    exposeRequest(request, runOf(request))
    next()
  })
  for (const { file, handlers } of list.map(toFile)) {
    for (const handler of handlers) {
      app.use(watchErrors(handler, file, (request) => runOf(request).errors))
    }
  }
  app.use((request: ExpressRequest, response: ExpressResponse) => {
    const run = runOf(request)
    run.isPassed = true
    passOn(request, response, run).catch((error: unknown) => fail(error, response))
  })
  app.use((error: unknown, request: ExpressRequest, response: ExpressResponse, _next: unknown) => {
    refuse(error, response, runOf(request))
  })

  /** Answers by the mock, with what the middlewares have changed. */
  async function passOn(
    request: ExpressRequest,
    response: ExpressResponse,
    run: Run,
  ): Promise<void> {
    const changes = findChanges(request, run)
    const { body, url = run.url } = changes
    request.url = url
    const headers = {
      ...(request.headers as MockRequest['headers']),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
    }
    const bytes = body === undefined ? run.bytes : Buffer.from(body)
    const asked = toMockRequest(request, headers, access.originOf, (limit) => {
      if (run.unread) return Promise.reject(run.unread)
      return bytes ? Promise.resolve(bytes) : readBytes(request, limit)
    })
    const diverted = changes.url === undefined ? [] : ['rewrite']
    const answered = await answerer.handle({ ...asked, diverted }, access)
    if (sendByOwn(answered, response, run.presets)) return
    keepHeaders(response, run.presets)
    write(answered, request, response)
  }

  function refuse(error: unknown, response: ServerResponse, { errors }: Run): void {
    const file = errors.fileOf(error)
    const status = statusOf(error)
    if (status >= 500) mock.onFailure(error, `run the middleware "${file}"`)
    if (response.writableEnded) return
    if (response.headersSent) return dropConnection(response)
    const message = `Failed to run the middleware "${file}": ${toMessage(error)}.`
    refuseRequest(response, status, message)
  }

  async function run(
    request: IncomingMessage,
    response: ServerResponse,
    asked: MockRequest,
    onRead?: () => void,
  ): Promise<void> {
    const { url = '/' } = request
    const started: Run = {
      url,
      rewritten: mock.reroute(url),
      bytes: undefined,
      body: {},
      presets: {},
      errors: createErrorLog(),
      isPassed: false,
    }
    runs.set(request, started)
    if (hasParsedBody(request)) {
      try {
        started.bytes = await readBytes(request, mock.limits.maxBody, onRead)
        started.body = parseBody(started.bytes, request.headers)
      } catch (error) {
        started.unread = error as Error
      }
    } else onRead?.()
    for (const [name, value] of corsHeaders(asked, access.origins)) response.setHeader(name, value)
    started.presets = response.getHeaders()
    const time = Date.now()
    response.once('close', () => {
      if (started.isPassed) return
      const { method, path, search, headers } = asked
      mock.addToLog({
        time,
        method,
        url: path + search,
        headers,
        status: response.statusCode,
        ms: Date.now() - time,
        bytes: Number(response.getHeader('content-length') ?? 0),
        reason: `middleware "${started.errors.file}"`,
      })
    })
    app(request, response)
  }

  return (request, response, onRead) => {
    const headers = request.headers as MockRequest['headers']
    const asked = toMockRequest(request, headers, access.originOf, (limit) =>
      readBytes(request, limit, onRead),
    )
    if (isForMock(asked, access)) return answer(answerer, request, response, access, onRead)
    run(request, response, asked, onRead).catch((error: unknown) => fail(error, response))
  }
}

/** Whether a request skips the middlewares: a preflight, a request of the control API, or one to refuse. */
function isForMock(request: MockRequest, access: ServerAccess): boolean {
  if (isPreflight(request) || isControlRequest(request)) return true
  try {
    access.check?.(request)
    return false
  } catch {
    return true
  }
}

function toFile(one: Middleware | MiddlewareFile): MiddlewareFile {
  return typeof one === 'function' ? { file: one.name || 'anonymous', handlers: [one] } : one
}

/** The status of an error that says which one it has, as those of Express do; else 500. */
function statusOf(error: unknown): number {
  const { status, statusCode } = (error ?? {}) as { status?: unknown; statusCode?: unknown }
  const found = Number(status ?? statusCode)
  return Number.isInteger(found) && found >= 400 && found < 600 ? found : 500
}

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isControlRequest } from '../../core/control/control.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import type { MockInternals } from '../../core/http/contract/internals.ts'
import type { MockRequest } from '../../core/http/contract/messages.ts'
import { corsHeaders, isPreflight } from '../../core/http/cors/cors.ts'
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
import { keepHeaders, sendThroughOverride } from './http/middleware-response.ts'
import { dropConnection, refuseRequest } from './http/refuse.ts'
import { readBytes, toMockRequest } from './http/request.ts'

/** Creates an application of Express with the middlewares in front of a mock. @throws MockError without `express` */
export function createMiddlewares(
  list: readonly (Middleware | MiddlewareFile)[],
  mock: MockInternals,
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

  /** Passes the request to the mock, with the changes of the middlewares. */
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
    const mockRequest = toMockRequest(request, headers, access.originOf, (limit) => {
      if (run.unread) return Promise.reject(run.unread)
      return bytes ? Promise.resolve(bytes) : readBytes(request, limit)
    })
    const diverted = changes.url === undefined ? [] : ['rewrite']
    const isChanged = changes.url !== undefined || mockRequest.method !== run.received.method
    const received = isChanged ? run.received : undefined
    const mockResponse = await answerer.handle({ ...mockRequest, diverted, received }, access)
    if (sendThroughOverride(mockResponse, response, run.presets)) return
    keepHeaders(response, run.presets)
    write(mockResponse, request, response)
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

  /** Reads a body that middlewares get parsed, and calls the first middleware. */
  async function start(
    request: IncomingMessage,
    response: ServerResponse,
    mockRequest: MockRequest,
    onRead?: () => void,
  ): Promise<void> {
    const { url = '/' } = request
    const run: Run = {
      url,
      rewritten: mock.reroute(url, mockRequest.method),
      received: mockRequest,
      bytes: undefined,
      body: {},
      presets: {},
      errors: createErrorLog(),
      isPassed: false,
    }
    runs.set(request, run)
    if (hasParsedBody(request)) {
      try {
        run.bytes = await readBytes(request, mock.limits.maxBody, onRead)
        run.body = parseBody(run.bytes, request.headers)
      } catch (error) {
        run.unread = error as Error
      }
    } else onRead?.()
    for (const [name, value] of corsHeaders(mockRequest, access.origins))
      response.setHeader(name, value)
    run.presets = response.getHeaders()
    logMiddleware(run, mockRequest, response)
    app(request, response)
  }

  /** Logs a request that a middleware has answered; the mock logs the others. */
  function logMiddleware(run: Run, mockRequest: MockRequest, response: ServerResponse): void {
    const time = Date.now()
    response.once('close', () => {
      if (run.isPassed) return
      const { method, path, search, headers } = mockRequest
      mock.addToLog({
        time,
        method,
        url: path + search,
        headers,
        status: response.statusCode,
        ms: Date.now() - time,
        bytes: Number(response.getHeader('content-length') ?? 0),
        reason: `middleware "${run.errors.file}"`,
      })
    })
  }

  return (request, response, onRead) => {
    const headers = request.headers as MockRequest['headers']
    const mockRequest = toMockRequest(request, headers, access.originOf, (limit) =>
      readBytes(request, limit, onRead),
    )
    if (isForMock(mockRequest, access)) return answer(answerer, request, response, access, onRead)
    start(request, response, mockRequest, onRead).catch((error: unknown) => fail(error, response))
  }
}

/** Passes a request through middlewares; a request that no middleware answers goes to the mock. */
export type RunMiddlewares = (
  request: IncomingMessage,
  response: ServerResponse,
  onRead?: () => void,
) => void

interface Run extends OriginalRequest {
  /** The request from before the middlewares. */
  received: MockRequest
  /** The error of reading the body, which the response of the mock reports. */
  unread?: Error
  /** The headers of the response from before the middlewares. */
  presets: OutgoingHttpHeaders
  errors: ErrorLog
  /** Whether no middleware has answered, so that the mock answers. */
  isPassed: boolean
}

/** Whether a request skips the middlewares: a preflight, or a request that is for the control API or refused. */
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

/** Returns the `status` or `statusCode` of an error, as errors of Express have, otherwise 500. */
function statusOf(error: unknown): number {
  const { status, statusCode } = (error ?? {}) as { status?: unknown; statusCode?: unknown }
  const found = Number(status ?? statusCode)
  return Number.isInteger(found) && found >= 400 && found < 600 ? found : 500
}

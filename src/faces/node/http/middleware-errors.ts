import type { IncomingMessage } from 'node:http'
import type { Middleware } from '../../../core/mock/serve-options.ts'
import type { ExpressHandler, ExpressRequest, ExpressResponse, Next } from './express.ts'

/** Wraps a middleware, so that its errors name its file; with four parameters, it handles errors itself. */
export function watchErrors(
  handler: Middleware,
  file: string,
  logOf: (request: IncomingMessage) => ErrorLog,
): ExpressHandler {
  const call = handler as (...parameters: unknown[]) => unknown
  const run = (request: ExpressRequest, next: Next, ...parameters: unknown[]): void => {
    const log = logOf(request)
    log.file = file
    const onError = (thrown: unknown): void => {
      const error = thrown ?? new Error('it throws nothing')
      log.note(error, file)
      next(error)
    }
    // Express skips the other middlewares of a router for `next('route')`.
    const pass: Next = (error) => {
      if (error && error !== 'route' && error !== 'router') onError(error)
      else next(error)
    }
    try {
      const returned = call(...parameters, pass)
      if (returned instanceof Promise) returned.catch(onError)
    } catch (error) {
      onError(error)
    }
  }
  return handler.length === 4
    ? (error: unknown, request: ExpressRequest, response: ExpressResponse, next: Next) =>
        run(request, next, error, request, response)
    : (request: ExpressRequest, response: ExpressResponse, next: Next) =>
        run(request, next, request, response)
}

/** Creates the error log of a request. */
export function createErrorLog(): ErrorLog {
  const files = new Map<unknown, string>()
  const log: ErrorLog = {
    file: '',
    note: (error, file) => void (files.has(error) || files.set(error, file)),
    fileOf: (error) => files.get(error) ?? log.file,
  }
  return log
}

/** The errors of a request and the middlewares that they come from. */
export interface ErrorLog {
  /** The file of the middleware that runs or has run last. */
  file: string
  /** Notes that an error comes from the file; the first file of an error counts. */
  note(error: unknown, file: string): void
  fileOf(error: unknown): string
}

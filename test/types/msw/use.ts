// The code of a user, compiled against each major version of MSW.
import type { AnyHandler, HttpHandler, RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { setupServer } from 'msw/node'

import { startMock } from '../../../src/browser.ts'
import { createMock } from '../../../src/index.ts'
import { handlers, strict } from '../../../src/msw.ts'

const mock = createMock({ fixtures: { posts: [{ id: 1, title: 'First' }] }, base: '/api' })

export const server = setupServer(...handlers(mock))
server.listen(strict())
server.use(...handlers(mock, { origin: 'https://a.test' }))
server.resetHandlers(...handlers(mock))

export const worker = setupWorker(...handlers(mock))
void worker.start(strict())
void startMock(mock)

export const all: [HttpHandler, RequestHandler, AnyHandler[]] = [
  handlers(mock)[0],
  handlers(mock)[0],
  handlers(mock),
]

import { createServer } from 'vite'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import type { Answerer } from '../../../src/core/http/contract/answerer.ts'
import { toAccess } from '../../../src/faces/node/http/access.ts'
import { mount } from '../../../src/faces/vite/middleware.ts'
import type { Mock } from '../../../src/index.ts'
import { type Connection, sendOverHttp } from '../../faces.ts'

/** Connects through a Vite dev server. */
export async function connectVite(mock: Mock): Promise<Connection> {
  const port = await (serving ??= startServer())
  answering = mock
  return { send: (request) => sendOverHttp(port, request), close: async () => {} }
}

/** The server that all tables share, and the mock that it currently answers from. */
let serving: Promise<number> | undefined
let answering: Mock

async function startServer(): Promise<number> {
  const server = await createServer({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, allowedHosts: ['mock.test'], watch: null, ws: false },
    plugins: [
      {
        name: 'mock',
        configureServer({ middlewares }) {
          const mock: Answerer = {
            get base() {
              return answering.base
            },
            handle: (request, access) => internalsOf(answering).handle(request, access),
            owns: (path, search) => internalsOf(answering).owns(path, search),
          }
          mount(middlewares, mock, toAccess('127.0.0.1', { allowHost: 'mock.test' }))
        },
      },
    ],
  })
  await server.listen()
  // Lets the test process exit without closing the server.
  server.httpServer?.unref()
  return Number(new URL(server.resolvedUrls?.local[0] ?? '').port)
}

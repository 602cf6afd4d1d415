import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

import { onTestFinished } from 'vitest'

import { createCertificate } from '../../../src/faces/node/certificate.ts'
import type { ProxiedExchange } from '../../../src/proxy/exchange.ts'
import {
  type ProxyServerOptions,
  serveProxy,
  type ServingProxy,
} from '../../../src/proxy/proxy-server.ts'

/** A running back end. */
export interface Backend {
  origin: string
  server: Server
}

/** Serves a back end until the test has finished. */
export async function startBackend(listener: RequestListener, isSecure = false): Promise<Backend> {
  const server = isSecure
    ? createSecureServer(createCertificate(['127.0.0.1']), listener)
    : createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`, server }
}

/** A proxy with the exchanges that it has passed on. */
export interface StartedProxy extends ServingProxy {
  exchanges: ProxiedExchange[]
  /** Resolves with the next exchange. */
  next(): Promise<ProxiedExchange>
}

/** Serves a proxy until the test has finished. */
export async function startProxy(
  upstream: string,
  options: Partial<ProxyServerOptions> = {},
): Promise<StartedProxy> {
  const exchanges: ProxiedExchange[] = []
  const waiting: ((exchange: ProxiedExchange) => void)[] = []
  const serving = await serveProxy({
    upstream,
    port: 0,
    host: '127.0.0.1',
    limit: 1024 * 1024,
    ...options,
    onExchange(exchange) {
      exchanges.push(exchange)
      waiting.splice(0).forEach((resolve) => resolve(exchange))
    },
  })
  onTestFinished(() => serving.close())
  return { ...serving, exchanges, next: () => new Promise((resolve) => waiting.push(resolve)) }
}

/** Serves a back end and a proxy of it until the test has finished. */
export async function startProxied(
  listener: RequestListener,
  options?: Partial<ProxyServerOptions>,
): Promise<Backend & { proxy: StartedProxy }> {
  const backend = await startBackend(listener)
  return { ...backend, proxy: await startProxy(backend.origin, options) }
}

import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { ServerOptions as SecureOptions } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { toMessage } from '../../core/errors/error-details.ts'
import { checkOptions } from '../../core/errors/check.ts'
import { configError } from '../../core/errors/mock-error.ts'
import { withControl } from '../../core/control/control.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import { type MockInternals, internalsOf } from '../../core/http/contract/internals.ts'
import type { AnyMock } from '../../core/http/contract/any-mock.ts'
import type { Certificate, ServeOptions } from '../../core/mock/serve-options.ts'
import { listOf } from '../web/origins.ts'
import { type ServerAccess, toAccess } from './http/access.ts'
import { answer } from './http/answer.ts'
import { createCertificate } from './certificate.ts'
import { readHome } from './home.ts'
import { guard, toSettings } from './guard.ts'
import { hostsOf, listenOn } from './listen.ts'
import { endOpenStreams } from './http/open-streams.ts'
import { hostOf, splitTarget } from './http/request.ts'
import { acceptUpgrades } from './http/sockets.ts'
import type { RunMiddlewares } from './middlewares.ts'
import { serveChecks } from './serve-checks.ts'
import { createStatic } from './static.ts'

/**
 * Serves a mock over HTTP; resolves when the server listens.
 * @throws MockError when an option is invalid, or the server cannot listen on the host and port
 * @example
 * const { url, close } = await serve(mock, { port: 0 })
 * const response = await fetch(`${url}/posts`)
 * await close()
 */
export async function serve(served: AnyMock, options: ServeOptions = {}): Promise<Serving> {
  const { replace: _replace, ...serving } = await serveReplaceable(served, options)
  return serving
}

/** Serves a mock like {@link serve}, until another mock replaces it on the same port. */
export async function serveReplaceable(
  served: AnyMock,
  options: ServeOptions,
): Promise<ReplaceableServing> {
  let current = await createResponder(served, options)
  const { port = 3000, host = 'localhost', grace = 5000, https = false } = options
  const settings = toSettings(options)
  const certificate = https === true ? createCertificate(namesOf(host, options)) : https
  const servers: Server[] = []
  const openResponses = new Set<ServerResponse>()
  /** Resolves when a mock has been replaced; undefined while no mock is being replaced. */
  let replaced: Promise<void> | undefined
  const create = (): Server => {
    const server = certificate
      ? createSecure(settings, certificate)
      : builtin('node:http').createServer(settings)
    guard(server, options, (request, response, onRead) => {
      const respond = (): void => {
        openResponses.add(response)
        response.once('close', () => openResponses.delete(response))
        current.respond(request, response, onRead)
      }
      if (replaced) void replaced.then(respond)
      else respond()
    })
    if (hasSockets(current.mock)) acceptUpgrades(server)
    servers.push(server)
    return server
  }
  const { bound, shutdowns } = await listenOn(hostsOf(host), port, create)
  let release = countServer(current.mock)
  const name = host.includes(':') ? `[${host}]` : host
  const { token } = current
  const toUrl = (): string =>
    `${certificate ? 'https' : 'http'}://${name}:${bound}${current.mock.base}`

  /** Waits for the responses in progress, up to the grace period; ends event streams, as their clients connect again. */
  const settleResponses = async (): Promise<void> => {
    for (const server of servers) {
      const address = server.address()
      if (typeof address === 'object' && address) endOpenStreams(address)
    }
    const closed = [...openResponses].map((response) => once(response, 'close'))
    await Promise.race([Promise.all(closed), setTimeout(grace, undefined, { ref: false })])
    for (const response of openResponses) response.destroy()
  }

  return {
    url: toUrl(),
    port: bound,
    ...(token !== undefined && { token }),
    async replace(load) {
      let resume = (): void => undefined
      replaced = new Promise((resolve) => (resume = resolve))
      try {
        await settleResponses()
        const next = await load(release)
        const isSame = internalsOf(next.mock) === current.mock
        current = await createResponder(next.mock, {
          ...(token !== undefined && { token }),
          ...next.options,
        })
        if (!isSame) release = countServer(current.mock)
        for (const server of servers) {
          server.removeAllListeners('upgrade')
          if (hasSockets(current.mock)) acceptUpgrades(server)
        }
      } finally {
        replaced = undefined
        resume()
      }
      return toUrl()
    },
    async close() {
      await Promise.all(shutdowns.map((shutdown) => shutdown.close(grace)))
      await release()
    },
  }
}

function hasSockets({ routes }: MockInternals): boolean {
  return routes.some(({ sockets }) => sockets)
}

/** A running server whose mock can be replaced. */
export interface ReplaceableServing extends Serving {
  /**
   * Replaces the mock and the options of its responses; the port, the host, the certificate and the limits stay.
   * Meanwhile requests wait. `load` gets the function that finishes the background work of the old mock. Returns
   * the new URL.
   */
  replace(load: (finish: () => Promise<void>) => Promise<Replacement>): Promise<string>
}

interface Replacement {
  mock: AnyMock
  options: ServeOptions
}

interface Responder {
  mock: MockInternals
  token: string | undefined
  respond(request: IncomingMessage, response: ServerResponse, onRead?: () => void): void
}

async function createResponder(served: AnyMock, options: ServeOptions): Promise<Responder> {
  const mock = internalsOf(served, 'the mock of serve')
  checkOptions('the options of serve', options, serveChecks)
  const answerer = withControl(mock, readHome)
  const access = toAccess(options.host ?? 'localhost', options)
  const { static: folders, staticSymlinks } = options
  const files = folders === undefined ? undefined : await createStatic(folders, staticSymlinks)
  const isFile = (request: IncomingMessage): boolean => {
    const { path, search } = splitTarget(request.url ?? '/')
    return !answerer.owns(path, search) && access.isKnownHost(hostOf(request))
  }
  const runMiddlewares = await loadMiddlewares(options, mock, answerer, access)
  return {
    mock,
    token: access.token,
    respond(request, response, onRead) {
      const answerByMock = (): void =>
        runMiddlewares
          ? runMiddlewares(request, response, onRead)
          : answer(answerer, request, response, access, onRead)
      if (files && isFile(request)) files(request, response, answerByMock)
      else answerByMock()
    },
  }
}

// `import` would also load all that the built-in modules export: TLS, and on Node 22 and later the
// code of `http.WebSocket`, which takes half of the start time.
const builtin = process.getBuiltinModule

/** A running server. */
export interface Serving {
  /** The URL with the base: `http://localhost:3000/api`. */
  url: string
  port: number
  /** The token that requests to `/__mock` need if other machines can reach the server. */
  token?: string
  /**
   * Stops accepting requests, finishes those in progress and closes all handles.
   * @throws MockError `WRITES_UNSAVED` when `persist` could not write all changes to the files
   */
  close(): Promise<void>
}

/** Creates the function that runs the middlewares; undefined without middlewares, whose modules are then not loaded. */
async function loadMiddlewares(
  { middlewares = [] }: ServeOptions,
  mock: MockInternals,
  answerer: Answerer,
  access: ServerAccess,
): Promise<RunMiddlewares | undefined> {
  if (middlewares.length === 0) return undefined
  const { createMiddlewares } = await import('./middlewares.ts')
  return createMiddlewares(middlewares, mock, answerer, access)
}

const openServers = new WeakMap<MockInternals, number>()

/** Counts an open server. The returned function uncounts it, once; the last finishes the background work. */
function countServer(mock: MockInternals): () => Promise<void> {
  openServers.set(mock, (openServers.get(mock) ?? 0) + 1)
  const release = async (): Promise<void> => {
    const count = (openServers.get(mock) ?? 1) - 1
    openServers.set(mock, count)
    if (count === 0) await mock.background?.finish()
  }
  let released: Promise<void> | undefined
  return () => (released ??= release())
}

/** Creates a TLS server. @throws MockError when the certificate is invalid or does not fit the key */
function createSecure(settings: SecureOptions, { key, cert }: Certificate): Server {
  try {
    const own = { key: Buffer.from(key), cert: Buffer.from(cert) }
    return builtin('node:https').createServer({ ...settings, ...own })
  } catch (cause) {
    throw configError(
      `Failed to serve https: ${toMessage(cause)}. Please give a certificate and its private key, both as PEM.`,
      cause,
    )
  }
}

/** The host names and addresses for a self-signed certificate. */
function namesOf(host: string, { allowHost = [] }: ServeOptions): string[] {
  const given = listOf(allowHost).flatMap((name) =>
    name.startsWith('.') ? [`*${name}`, name.slice(1)] : name,
  )
  const names = ['localhost', '127.0.0.1', '::1', host, ...given]
  return [...new Set(names.filter((name) => name !== '*'))]
}

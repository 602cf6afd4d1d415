import type { IncomingMessage, Server } from 'node:http'
import type { ServerOptions as SecureOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { checkOptions } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { withControl } from '../../core/control/control.ts'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import type { Controlled } from '../../core/http/contract/behaviour.ts'
import type { AnyMock } from '../../core/http/contract/any-mock.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { ownValue } from '../../core/json/json.ts'
import type { Certificate, ServeOptions } from '../../core/mock/serve-options.ts'
import { listOf, type ServerAccess, toAccess } from './http/access.ts'
import { answer } from './http/answer.ts'
import { createCertificate } from './certificate.ts'
import { createGracefulShutdown, type GracefulShutdown } from './graceful-shutdown.ts'
import { readHome } from './home.ts'
import { guard, toSettings } from './guard.ts'
import { hostOf, splitTarget } from './http/request.ts'
import type { RunMiddlewares } from './middlewares.ts'
import { serveChecks } from './serve-options.ts'
import { createStatic } from './static.ts'

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

/**
 * Serves a mock over HTTP; resolves when the server listens.
 * @throws MockError when an option is invalid, or the server cannot listen on the host and port
 * @example
 * const { url, close } = await serve(mock, { port: 0 })
 * const response = await fetch(`${url}/posts`)
 * await close()
 */
export async function serve(served: AnyMock, options: ServeOptions = {}): Promise<Serving> {
  const mock = internalsOf(served, 'the mock of serve')
  checkOptions('the options of serve', options, serveChecks)
  const { port = 3000, host = 'localhost', grace = 5000, https = false } = options
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const answerer = withControl(mock, readHome)
  const access = toAccess(host, options)
  const settings = toSettings(options)
  const certificate = https === true ? createCertificate(namesOf(host, options)) : https
  const { static: folders, staticSymlinks } = options
  const files = folders === undefined ? undefined : await createStatic(folders, staticSymlinks)
  const isFile = (request: IncomingMessage): boolean => {
    const { path, search } = splitTarget(request.url ?? '/')
    return !answerer.owns(path, search) && access.isKnownHost(hostOf(request))
  }
  const run = await loadMiddlewares(options, mock, answerer, access)
  const create = (): Server => {
    const server = certificate
      ? createSecure(settings, certificate)
      : builtin('node:http').createServer(settings)
    guard(server, options, (request, response, onRead) => {
      const answerByMock = (): void =>
        run ? run(request, response, onRead) : answer(answerer, request, response, access, onRead)
      if (files && isFile(request)) files(request, response, answerByMock)
      else answerByMock()
    })
    return server
  }
  const { bound, shutdowns } = await listenOn(hosts, port, create)
  const leave = enter(mock)
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `${certificate ? 'https' : 'http'}://${name}:${bound}${mock.base}`,
    port: bound,
    ...(access.token !== undefined && { token: access.token }),
    async close() {
      await Promise.all(shutdowns.map((shutdown) => shutdown.close(grace)))
      await leave()
    },
  }
}

/** Creates what runs the middlewares; undefined without any. Loads the modules that only they need. */
async function loadMiddlewares(
  { middlewares = [] }: ServeOptions,
  mock: Controlled,
  answerer: Answerer,
  access: ServerAccess,
): Promise<RunMiddlewares | undefined> {
  if (middlewares.length === 0) return undefined
  const { createMiddlewares } = await import('./middlewares.ts')
  return createMiddlewares(middlewares, mock, answerer, access)
}

/** The number of open servers of each mock. */
const openServers = new WeakMap<Controlled, number>()

/** Counts a server; the returned function, which may be called again, ends the work of the mock with the last server. */
function enter(mock: Controlled): () => Promise<void> {
  openServers.set(mock, (openServers.get(mock) ?? 0) + 1)
  let left: Promise<void> | undefined
  const leave = async (): Promise<void> => {
    const rest = (openServers.get(mock) ?? 1) - 1
    openServers.set(mock, rest)
    if (rest === 0) await mock.background?.finish()
  }
  return () => (left ??= leave())
}

/** Creates a TLS server. @throws MockError when the certificate is invalid or does not fit the key */
function createSecure(settings: SecureOptions, { key, cert }: Certificate): Server {
  try {
    const own = { key: Buffer.from(key), cert: Buffer.from(cert) }
    return builtin('node:https').createServer({ ...settings, ...own })
  } catch (cause) {
    throw new MockError(
      `Failed to serve https: ${toMessage(cause)}. Please give a certificate and its private key, both as PEM.`,
      { code: 'CONFIG_INVALID', cause },
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

interface Listening {
  /** The port that the servers listen on. */
  bound: number
  shutdowns: GracefulShutdown[]
}

/** Listens on one port of all hosts. */
async function listenOn(
  hosts: readonly string[],
  port: number,
  create: () => Server,
  attempts = 10,
): Promise<Listening> {
  const shutdowns: GracefulShutdown[] = []
  let bound = port
  for (const [index, host] of hosts.entries()) {
    const server = create()
    const shutdown = createGracefulShutdown(server)
    try {
      bound = await listen(server, bound, host)
      shutdowns.push(shutdown)
    } catch (error) {
      // A machine without IPv6 serves on 127.0.0.1 alone.
      if (index > 0 && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) continue
      await Promise.all(shutdowns.map((shutdown) => shutdown.close(0)))
      // A port that is free on the first address may be in use on the second.
      const canRetry = port === 0 && codeOf(error) === 'EADDRINUSE' && attempts > 1
      if (canRetry) return listenOn(hosts, port, create, attempts - 1)
      throw toMockError(error, bound, hosts.length > 1 ? 'localhost' : host)
    }
  }
  return { bound, shutdowns }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.removeListener('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** The reasons why a server cannot listen, with advice, by error code. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Please stop the other program or choose another --port.',
  EACCES: 'permission denied. Please choose a --port above 1023.',
  EADDRNOTAVAIL: 'this machine has no such address. Please choose another --host.',
  ENOTFOUND: 'the host name is unknown. Please choose another --host.',
}

function toMockError(cause: unknown, port: number, host: string): MockError {
  const code = codeOf(cause)
  const reason = ownValue(reasons, code)
  return new MockError(`Failed to listen on "${host}:${port}": ${reason ?? String(cause)}`, {
    code: reason === undefined ? 'LISTEN_FAILED' : code,
    cause,
  })
}

import type { IncomingMessage, Server } from 'node:http'
import type { ServerOptions as SecureOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { checkOptions } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { withControl } from '../../core/control/control.ts'
import type { Controlled } from '../../core/http/contract/behaviour.ts'
import { ownValue } from '../../core/json/json.ts'
import type { Certificate, ServeOptions } from '../../core/mock/serve-options.ts'
import { listOf, toAccess } from './http/access.ts'
import { answer } from './http/answer.ts'
import { createCertificate } from './certificate.ts'
import { createDrain, type Drain } from './graceful-shutdown.ts'
import { readHome } from './home.ts'
import { endEndless } from './http/open-streams.ts'
import { guard, toSettings } from './guard.ts'
import { hostOf, splitTarget } from './http/request.ts'
import { serveChecks } from './serve-options.ts'
import { createStaticFiles } from './static.ts'

// An import of these would also load what only some need: TLS, and on Node 22 and later everything
// behind `http.WebSocket`, which takes as long as half the start.
const builtin = process.getBuiltinModule

/** A server that answers. */
export interface Serving {
  /** `http://localhost:3000`, with the base behind it. */
  url: string
  port: number
  /** What callers of the control have to show, where the server listens beyond this machine. */
  token?: string
  /** Stops accepting, finishes what is being answered, and leaves no handle open. */
  close(): Promise<void>
}

/**
 * Serves a mock over HTTP; resolves once it answers.
 * @throws MockError when it cannot listen there
 * @example const { url, close } = await serve(mock, { port: 0 })
 */
export async function serve(mock: Controlled, options: ServeOptions = {}): Promise<Serving> {
  checkOptions('the options of serve', options, serveChecks)
  const { port = 3000, host = 'localhost', grace = 5000, https = false } = options
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
  const answerer = withControl(mock, readHome)
  const access = toAccess(host, options)
  const settings = toSettings(options)
  const certificate = https === true ? createCertificate(namesOf(host, options)) : https
  const files = options.static === undefined ? undefined : await createStaticFiles(options.static)
  const isFile = (request: IncomingMessage): boolean =>
    !answerer.owns(splitTarget(request.url ?? '/').path) && access.isKnownHost(hostOf(request))
  const create = (): Server => {
    const server = certificate
      ? createSecure(settings, certificate)
      : builtin('node:http').createServer(settings)
    guard(server, options, (request, response, onRead) => {
      const next = (): void => answer(answerer, request, response, access, onRead)
      if (files && isFile(request)) files(request, response, next)
      else next()
    })
    return server
  }
  const { bound, drains } = await listenOn(hosts, port, create)
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `${certificate ? 'https' : 'http'}://${name}:${bound}${mock.base}`,
    port: bound,
    ...(access.token !== undefined && { token: access.token }),
    async close() {
      const drained = Promise.all(drains.map((drain) => drain.close(grace)))
      endEndless(bound)
      await drained
      await mock.background?.finish()
    },
  }
}

/** @throws MockError when the certificate is none, or is another key's */
function createSecure(settings: SecureOptions, { key, cert }: Certificate): Server {
  try {
    const own = { key: Buffer.from(key), cert: Buffer.from(cert) }
    return builtin('node:https').createServer({ ...settings, ...own })
  } catch (cause) {
    throw new MockError(
      `Failed to serve https: ${toMessage(cause)}. Please name a certificate and its key, both as PEM.`,
      { code: 'CONFIG_INVALID', cause },
    )
  }
}

/** The names that a certificate of our own is good for. */
function namesOf(host: string, { allowHost = [] }: ServeOptions): string[] {
  const given = listOf(allowHost).flatMap((name) =>
    name.startsWith('.') ? [`*${name}`, name.slice(1)] : name,
  )
  const names = ['localhost', '127.0.0.1', '::1', host, ...given]
  return [...new Set(names.filter((name) => name !== '*'))]
}

interface Listening {
  bound: number
  drains: Drain[]
}

async function listenOn(
  hosts: readonly string[],
  port: number,
  create: () => Server,
  attempts = 10,
): Promise<Listening> {
  const drains: Drain[] = []
  let bound = port
  for (const [at, host] of hosts.entries()) {
    const server = create()
    const drain = createDrain(server)
    try {
      bound = await listen(server, bound, host)
      drains.push(drain)
    } catch (error) {
      // A machine without IPv6 serves on 127.0.0.1 alone.
      if (at > 0 && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) continue
      await Promise.all(drains.map((drain) => drain.close(0)))
      // A port that was free on the first address may be taken on the next.
      const isAnother = port === 0 && codeOf(error) === 'EADDRINUSE' && attempts > 1
      if (isAnother) return listenOn(hosts, port, create, attempts - 1)
      throw toMockError(error, bound, hosts.length > 1 ? 'localhost' : host)
    }
  }
  return { bound, drains }
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

/** Why a server cannot listen, and what to do, by the code of the error. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there. Please stop it or choose another --port.',
  EACCES: 'this user may not. Please choose a --port above 1023.',
  EADDRNOTAVAIL: 'this machine has no such address. Please choose another --host.',
  ENOTFOUND: 'there is no such host. Please choose another --host.',
}

function toMockError(cause: unknown, port: number, host: string): MockError {
  const code = codeOf(cause)
  const reason = ownValue(reasons, code)
  return new MockError(`Failed to listen on "${host}:${port}": ${reason ?? String(cause)}`, {
    code: reason === undefined ? 'LISTEN_FAILED' : code,
    cause,
  })
}

import type { ClientRequest, RequestOptions } from 'node:http'
import { codeOf } from '../core/errors/error-details.ts'
import type { HeaderList } from '../core/http/contract/messages.ts'

/** Creates the connections of a proxy to the server behind it, which are kept open between requests. */
export function createUpstream(origin: string, isInsecure = false): Upstream {
  const url = new URL(origin)
  const isSecure = url.protocol === 'https:'
  const { Agent, request } = isSecure ? builtin('node:https') : builtin('node:http')
  const security = isSecure ? { rejectUnauthorized: !isInsecure } : {}
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64, ...security })
  const fixed: RequestOptions = {
    protocol: url.protocol,
    // An IPv6 address has brackets in a URL only.
    hostname: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port,
    maxHeaderSize,
    ...security,
  }
  return {
    origin,
    request: ({ method, path, headers, isAlone = false }) =>
      request({ ...fixed, agent: isAlone ? false : agent, method, path, headers: headers.flat() }),
    close: () => agent.destroy(),
  }
}

/** The connections of a proxy to the server behind it. */
export interface Upstream {
  /** The origin of the server: `https://api.example.com`. */
  origin: string
  /** Begins a request; the caller sends the body and ends the request. */
  request(options: UpstreamRequest): ClientRequest
  /** Closes the connections that no request uses. */
  close(): void
}

// Not imported, because `import` would load modules that the start does not need; see `faces/node/serve.ts`.
const builtin = process.getBuiltinModule

/** A request for the server behind a proxy. */
export interface UpstreamRequest {
  method: string
  /** The path and query, percent-encoded. */
  path: string
  headers: HeaderList
  /** Whether to open a connection for this request alone, as an upgrade needs. @default false */
  isAlone?: boolean
}

/** The most bytes of a response's headers: real servers send more than the 16 KiB that Node allows. */
const maxHeaderSize = 256 * 1024

/** Whether the server closed an idle connection just as the request took it, so that it can be sent again. */
export function isStale({ reusedSocket }: ClientRequest, error: unknown): boolean {
  return reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(codeOf(error))
}

/** Converts `rawHeaders` of Node, which alternates names and values, to pairs. */
export function toPairs(raw: readonly string[]): HeaderList {
  const pairs: HeaderList = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? ''])
  return pairs
}

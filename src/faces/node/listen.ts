import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { codeOf } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { ownValue } from '../../core/json/json.ts'
import { createGracefulShutdown, type GracefulShutdown } from './graceful-shutdown.ts'

/** Listens on one port of all hosts, with a server for each. @throws MockError when one cannot be listened on */
export async function listenOn(
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

/** Returns the addresses of a host: `localhost` has one of IPv4 and one of IPv6. */
export function hostsOf(host: string): string[] {
  return host === 'localhost' ? ['127.0.0.1', '::1'] : [host]
}

/** The servers that listen on one port of several hosts. */
export interface Listening {
  /** The port that the servers listen on. */
  bound: number
  shutdowns: GracefulShutdown[]
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
  EADDRINUSE: 'the port is in use. Please stop the other program or choose another port.',
  EACCES: 'permission denied. Please choose a port above 1023.',
  EADDRNOTAVAIL: 'this machine has no such address. Please choose another host.',
  ENOTFOUND: 'the host name is unknown. Please choose another host.',
}

function toMockError(cause: unknown, port: number, host: string): MockError {
  const code = codeOf(cause)
  const reason = ownValue(reasons, code)
  return new MockError(`Failed to listen on "${host}:${port}": ${reason ?? String(cause)}`, {
    code: reason === undefined ? 'LISTEN_FAILED' : code,
    cause,
  })
}

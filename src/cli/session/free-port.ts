import { MockError } from '../../core/errors/mock-error.ts'
import { hostsOf, listenOn } from '../../faces/node/listen.ts'

/** Starts on the given port, else on the first free one from 3000. @throws MockError that names the next free port */
export async function startOnFreePort<Serving>(
  { port, host = 'localhost' }: { port?: number | undefined; host?: string | undefined },
  start: (port: number) => Promise<Serving>,
  print: (text: string) => void,
): Promise<Serving> {
  if (port !== undefined) {
    try {
      return await start(port)
    } catch (error) {
      const free = isInUse(error) ? await findFreePort(host, port + 1) : undefined
      if (free === undefined) throw error
      throw new MockError(
        `Failed to listen on "${host}:${port}": the port is in use. Please stop the other program, or use --port ${free}.`,
        { code: 'EADDRINUSE', cause: error },
      )
    }
  }
  for (let tried = defaultPort; ; tried++) {
    try {
      const serving = await start(tried)
      if (tried > defaultPort)
        print(`Port ${defaultPort} is in use, so the server listens on ${tried}.`)
      return serving
    } catch (error) {
      if (!isInUse(error) || tried >= defaultPort + ATTEMPTS) throw error
    }
  }
}

/** The first port from `from` on that no program listens on; undefined if the next ports are all in use. */
async function findFreePort(host: string, from: number): Promise<number | undefined> {
  // Loaded here, because the module is slow to load.
  const { createServer } = process.getBuiltinModule('node:http')
  for (let tried = from; tried < Math.min(from + ATTEMPTS, 65_536); tried++) {
    try {
      const { shutdowns } = await listenOn(hostsOf(host), tried, () => createServer())
      await Promise.all(shutdowns.map((shutdown) => shutdown.close(0)))
      return tried
    } catch (error) {
      if (!isInUse(error)) return undefined
    }
  }
  return undefined
}

function isInUse(error: unknown): boolean {
  return error instanceof MockError && error.code === 'EADDRINUSE'
}

/** The number of ports that are tried. */
const ATTEMPTS = 100

/** The port of a server if no other port is configured. */
export const defaultPort = 3000

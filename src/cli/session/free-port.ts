import { MockError } from '../../core/errors/mock-error.ts'

/** The port of a server where no other is configured. */
export const defaultPort = 3000

/**
 * Starts a server on the given port, else on the first free port from the default on.
 * @throws MockError when the given port is in use
 */
export async function startOnFreePort<Serving>(
  port: number | undefined,
  start: (port: number) => Promise<Serving>,
  print: (text: string) => void,
): Promise<Serving> {
  if (port !== undefined) return start(port)
  for (let tried = defaultPort; ; tried++) {
    try {
      const serving = await start(tried)
      if (tried > defaultPort)
        print(`Port ${defaultPort} is in use, so the server listens on ${tried}.`)
      return serving
    } catch (error) {
      const isTaken = error instanceof MockError && error.code === 'EADDRINUSE'
      if (!isTaken || tried >= defaultPort + 100) throw error
    }
  }
}

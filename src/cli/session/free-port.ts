import { MockError } from '../../core/errors/mock-error.ts'

/** Starts on the given port, else on the first free one from 3000. @throws MockError when the given port is in use */
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

/** The port of a server if no other port is configured. */
export const defaultPort = 3000

import { type Io, signals } from '../io.ts'

/** Ends a command gracefully at the first signal; a second signal ends the process at once, as by default. */
export function createShutdown(io: Io): Shutdown {
  let resolve = (): void => undefined
  let timer: NodeJS.Timeout | undefined
  const requested = new Promise<void>((done) => (resolve = done))
  const release = (): void => {
    clearTimeout(timer)
    clearInterval(parentCheck)
    for (const signal of signals) io.off(signal, request)
  }
  const request = (): void => {
    resolve()
    // The terminal sends Ctrl-C to npx too, which forwards the signal: this copy does not count as a second signal.
    timer ??= setTimeout(release, ECHO_MS)
  }
  for (const signal of signals) io.on(signal, request)
  const parentCheck = watchParent(io, request)
  return { requested, request, release }
}

/** The shutdown of a command, which a signal, a key or the end of npm's process requests. */
export interface Shutdown {
  /** Resolves at the first request. */
  requested: Promise<void>
  request(): void
  /** Stops handling signals, so that they end the process. */
  release(): void
}

/** Requests the shutdown when npm's shell has ended: a signal to npx or `npm run` ends only that shell. */
function watchParent(io: Io, request: () => void): NodeJS.Timeout | undefined {
  const { ppid: parent, env } = io
  if (env['npm_command'] === undefined) return undefined
  const check = (): void => {
    if (io.ppid !== parent) request()
  }
  return setInterval(check, PARENT_CHECK_MS).unref()
}

/** The interval between checks of the parent process, in milliseconds. */
const PARENT_CHECK_MS = 200

/** A signal within this time after the first is a copy of the first, in milliseconds. */
const ECHO_MS = 100

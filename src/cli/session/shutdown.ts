import { type Io, signals } from '../io.ts'

/** A request to end the program, which a signal or a key makes. */
export interface Stop {
  /** Resolves when a signal or a key requests the end. */
  requested: Promise<void>
  request(): void
  /** Stops handling signals, so that they end the process. */
  release(): void
}

/**
 * Handles the first signal or key as a request for a graceful shutdown. A second signal ends the
 * process at once, as signals do by default.
 */
export function createStop(io: Io): Stop {
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
    // The terminal sends Ctrl-C to npx too, which forwards it: that echo is no second signal.
    timer ??= setTimeout(release, ECHO_MS)
  }
  for (const signal of signals) io.on(signal, request)
  const parentCheck = watchParent(io, request)
  return { requested, request, release }
}

/** Requests the end when npm's shell is gone: a signal to npx or `npm run` ends only that shell. */
function watchParent(io: Io, request: () => void): NodeJS.Timeout | undefined {
  const { ppid: parent, env } = io
  if (env['npm_command'] === undefined) return undefined
  const check = (): void => {
    if (io.ppid !== parent) request()
  }
  return setInterval(check, PARENT_CHECK_MS).unref()
}

/** The interval of checks for the parent, in milliseconds. */
const PARENT_CHECK_MS = 200

/** A signal within this time of the first one is its echo, in milliseconds. */
const ECHO_MS = 100

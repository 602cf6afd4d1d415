import { type Io, signals } from '../io.ts'

/** Knows when the program is to end. */
export interface Stop {
  /** Resolves when a signal or a key has asked for it. */
  asked: Promise<void>
  ask(): void
  /** Leaves signals to their usual effect. */
  release(): void
}

/**
 * Takes the first signal or key as the wish to end in order. A second signal has its usual effect,
 * which is to end at once.
 */
export function createStop(io: Io): Stop {
  let resolve = (): void => undefined
  let timer: NodeJS.Timeout | undefined
  const asked = new Promise<void>((done) => (resolve = done))
  const release = (): void => {
    clearTimeout(timer)
    clearInterval(parent)
    for (const signal of signals) io.off(signal, ask)
  }
  const ask = (): void => {
    resolve()
    // npx hands on the Ctrl-C that the terminal has sent to both.
    timer ??= setTimeout(release, ECHO)
  }
  for (const signal of signals) io.on(signal, ask)
  const parent = watchParent(io, ask)
  return { asked, ask, release }
}

/** A signal to npx or `npm run` ends the shell between, and so comes as the loss of the parent. */
function watchParent(io: Io, ask: () => void): NodeJS.Timeout | undefined {
  const { ppid: parent, env } = io
  if (env['npm_command'] === undefined) return undefined
  const look = (): void => {
    if (io.ppid !== parent) ask()
  }
  return setInterval(look, LOOK).unref()
}

/** How often the parent is looked for, in milliseconds. */
const LOOK = 200

/** How long after a signal another one is its echo, in milliseconds. */
const ECHO = 100

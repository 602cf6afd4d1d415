import { type Io, signals } from './io.ts'

/** Knows when the program is to end. */
export interface Stop {
  /** Resolves when a signal or a key has asked for it. */
  asked: Promise<void>
  ask(): void
  /** Leaves signals to their usual effect. */
  release(): void
}

/**
 * Takes the first signal as the wish to end in order. A second one has its usual effect, which is to
 * end at once.
 */
export function createStop(io: Io): Stop {
  let ask = (): void => undefined
  let timer: NodeJS.Timeout | undefined
  const asked = new Promise<void>((resolve) => (ask = resolve))
  const release = (): void => {
    clearTimeout(timer)
    for (const signal of signals) io.off(signal, onSignal)
  }
  const onSignal = (): void => {
    ask()
    // npx hands on the Ctrl-C that the terminal has sent to both.
    timer ??= setTimeout(release, ECHO)
  }
  for (const signal of signals) io.on(signal, onSignal)
  return { asked, ask, release }
}

/** How long after a signal another one is its echo, in milliseconds. */
const ECHO = 100

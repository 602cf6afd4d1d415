import type { Io, Signal } from '../../../src/cli/io.ts'

/** A fake process: a test controls its input and reads its output. */
export interface FakeIo extends Io {
  /** Everything printed to standard output and to standard error. */
  out(): string
  err(): string
  /** Waits until the printed text matches. */
  printed(pattern: RegExp): Promise<void>
  send(signal: Signal | 'SIGCONT'): void
  press(keys: string): void
  /** The calls of `setRawMode`. */
  raw: boolean[]
  /** The calls of `resume` (true) and `pause` (false). */
  reading: boolean[]
  /** The sent signals, each with its process. */
  sent: string[]
  /** The number of listeners for signals and keys. */
  listeners(): number
}

/** The options of a fake process. */
export interface FakeOptions {
  cwd?: string
  env?: Record<string, string>
  /** The width of its terminal; without it there is no terminal. */
  columns?: number
}

const isData = (event: string): boolean => event === 'data'

/** Creates a process for one test. */
export function createFakeIo({ cwd = '/', env = {}, columns }: FakeOptions = {}): FakeIo {
  const texts = { out: '', err: '' }
  const waiting = new Set<() => void>()
  const signals = new Map<string, Set<() => void>>()
  const readers = new Set<(text: string) => void>()
  const raw: boolean[] = []
  const reading: boolean[] = []
  const sent: string[] = []
  const terminal = columns === undefined ? {} : { isTTY: true, columns }
  const output = (name: keyof typeof texts): Io['stdout'] => ({
    ...terminal,
    write(text) {
      texts[name] += text
      for (const check of waiting) check()
    },
  })
  const listenersOf = (signal: string): Set<() => void> => {
    const listeners = signals.get(signal) ?? new Set()
    signals.set(signal, listeners)
    return listeners
  }
  return {
    stdout: output('out'),
    stderr: output('err'),
    stdin: {
      ...terminal,
      setRawMode: (isRaw) => raw.push(isRaw),
      setEncoding: () => undefined,
      on: (event, listener) => isData(event) && readers.add(listener),
      off: (event, listener) => isData(event) && readers.delete(listener),
      resume: () => reading.push(true),
      pause: () => reading.push(false),
    },
    env,
    cwd: () => cwd,
    on: (signal, listener) => listenersOf(signal).add(listener),
    off: (signal, listener) => listenersOf(signal).delete(listener),
    kill: (pid, signal) => sent.push(`${signal} to ${pid}`),
    out: () => texts.out,
    err: () => texts.err,
    printed: (pattern) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!pattern.test(texts.out + texts.err)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    send: (signal) => listenersOf(signal).forEach((listener) => listener()),
    press: (keys) => readers.forEach((listener) => listener(keys)),
    raw,
    reading,
    sent,
    listeners: () => [...signals.values(), readers].reduce((sum, { size }) => sum + size, 0),
  }
}

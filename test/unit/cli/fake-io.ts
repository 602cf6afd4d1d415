import type { Io, Signal } from '../../../src/cli/io.ts'

/** A process that is none: what it is given comes from a test, what it prints goes to one. */
export interface FakeIo extends Io {
  /** Everything that was printed, and printed as an error. */
  out(): string
  err(): string
  /** Waits until what was printed matches. */
  printed(pattern: RegExp): Promise<void>
  send(signal: Signal | 'SIGCONT'): void
  press(keys: string): void
  /** Whether the terminal is in raw mode, as it was over time. */
  raw: boolean[]
  /** Whether keys are read, as it was over time. */
  reading: boolean[]
  /** Signals that were sent, each with the process that it was for. */
  sent: string[]
  /** How many listeners wait for signals and keys. */
  listeners(): number
}

/** What a fake process is like. */
export interface FakeOptions {
  cwd?: string
  env?: Record<string, string>
  /** How wide its terminal is; it has none without. */
  columns?: number
}

const isData = (event: string): boolean => event === 'data'

/** Makes a process for one test. */
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
      for (const look of waiting) look()
    },
  })
  const of = (signal: string): Set<() => void> => {
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
    on: (signal, listener) => of(signal).add(listener),
    off: (signal, listener) => of(signal).delete(listener),
    kill: (pid, signal) => sent.push(`${signal} to ${pid}`),
    out: () => texts.out,
    err: () => texts.err,
    printed: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(texts.out + texts.err)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    send: (signal) => of(signal).forEach((listener) => listener()),
    press: (keys) => readers.forEach((listener) => listener(keys)),
    raw,
    reading,
    sent,
    listeners: () => [...signals.values(), readers].reduce((sum, { size }) => sum + size, 0),
  }
}

/** What the command line needs of the process it runs in. */
export interface Io {
  stdout: Output
  stderr: Output
  stdin: Input
  env: Readonly<Record<string, string | undefined>>
  cwd(): string
  on(signal: Signal | 'SIGCONT', listener: () => void): unknown
  off(signal: Signal | 'SIGCONT', listener: () => void): unknown
  pid?: number
  /** The process that started this one, as it is now. */
  ppid?: number
  /** Sends a signal; process 0 stands for the own group. */
  kill?(pid: number, signal: 'SIGTSTP'): unknown
}

/** A stream that text is written to. */
export interface Output {
  write(text: string): unknown
  on?(event: 'error', listener: () => void): unknown
  isTTY?: boolean
  /** How wide the terminal is, in characters. */
  columns?: number
}

/** A stream that keys are read from. */
export interface Input {
  isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  setEncoding(encoding: 'utf8'): unknown
  on(event: 'data', listener: (text: string) => void): unknown
  off(event: 'data', listener: (text: string) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** What asks a program to end. */
export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** One of the {@link signals}. */
export type Signal = (typeof signals)[number]

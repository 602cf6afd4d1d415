/** The parts of a process that a command uses: the program passes `process`, a test its own. */
export interface Io {
  stdout: Output
  stderr: Output
  stdin: Input
  /** The program and the file that it started with, then the arguments. */
  argv?: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  cwd(): string
  on(signal: Signal | 'SIGCONT', listener: () => void): unknown
  off(signal: Signal | 'SIGCONT', listener: () => void): unknown
  pid?: number
  /** The current parent process, which changes when the first parent ends. */
  ppid?: number
  /** Sends a signal; pid 0 sends it to the process group of the program. */
  kill?(pid: number, signal: 'SIGTSTP'): unknown
}

/** A stream to print to. */
export interface Output {
  write(text: string): unknown
  on?(event: 'error', listener: () => void): unknown
  isTTY?: boolean
  /** The width of the terminal in characters. */
  columns?: number
}

/** A stream to read keys from. */
export interface Input {
  isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  setEncoding(encoding: 'utf8'): unknown
  on(event: 'data', listener: (text: string) => void): unknown
  off(event: 'data', listener: (text: string) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** The signals that end the program. */
export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** One of the {@link signals}. */
export type Signal = (typeof signals)[number]

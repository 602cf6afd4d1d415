import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

/** The built command. */
export const program: string = join(import.meta.dirname, '../../bin/mock.js')

/** A process of the command line. */
export interface Program {
  child: ChildProcess
  /** Everything printed to standard output and to standard error. */
  out(): string
  err(): string
  /** Waits until the printed text matches; rejects when the process ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves when the process has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts the built command in a folder, with the runtime in RUNTIME (`deno run -A`) or this one, without FORCE_COLOR and PORT of this process. */
export function startProgram(
  args: readonly string[],
  cwd: string,
  { env = {}, ...options }: SpawnOptions = {},
): Program {
  const { PORT: _port, FORCE_COLOR: _colour, ...inherited } = process.env
  const [runtime = process.execPath, ...flags] = process.env['RUNTIME']?.split(' ') ?? []
  const child = spawn(runtime, [...flags, program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  const texts = { out: '', err: '' }
  const waiting = new Set<() => void>()
  const check = (): void => waiting.forEach((waiter) => waiter())
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
    check()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
    check()
  })
  let hasEnded = false
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      hasEnded = true
      resolve({ code, signal })
      check()
    })
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    child,
    out: () => texts.out,
    err: () => texts.err,
    ended,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const waiter = (): void => {
          const found = pattern.exec(texts.out + texts.err)
          if (!found && !hasEnded) return
          waiting.delete(waiter)
          if (found) resolve(found)
          else reject(new Error(`It ended without printing ${pattern}:\n${texts.out}${texts.err}`))
        }
        waiting.add(waiter)
        waiter()
      }),
  }
}

/** A running server with its URL. */
export interface RunningServer extends Program {
  url: string
  port: number
}

/** Starts `mock server` and waits for its banner. */
export async function startServer(
  args: readonly string[],
  cwd: string,
  options?: SpawnOptions,
): Promise<RunningServer> {
  const started = startProgram(['server', ...args], cwd, options)
  const [, url = ''] = await started.printed(/Fixtura \S+ {2}(http\S+) .*\n[^]*\n\n/)
  return { ...started, url, port: Number(new URL(url).port) }
}

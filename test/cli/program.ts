import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

/** The built command. */
export const program: string = join(import.meta.dirname, '../../bin/mock.js')

/** A process of the command line. */
export interface Program {
  child: ChildProcess
  /** Everything it has printed, and printed as an error. */
  out(): string
  err(): string
  /** Waits until what it has printed matches, and fails when it ends without. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** How it ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts the built command in a folder, without colours and a port of its own. */
export function startProgram(
  args: readonly string[],
  cwd: string,
  { env = {}, ...options }: SpawnOptions = {},
): Program {
  const { PORT: _port, FORCE_COLOR: _colour, ...inherited } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
  })
  const texts = { out: '', err: '' }
  const waiting = new Set<() => void>()
  const look = (): void => waiting.forEach((one) => one())
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
    look()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
    look()
  })
  let hasEnded = false
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      hasEnded = true
      resolve({ code, signal })
      look()
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
        const one = (): void => {
          const found = pattern.exec(texts.out + texts.err)
          if (!found && !hasEnded) return
          waiting.delete(one)
          if (found) resolve(found)
          else reject(new Error(`It ended without printing ${pattern}:\n${texts.out}${texts.err}`))
        }
        waiting.add(one)
        one()
      }),
  }
}

/** A server that answers, and where. */
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
  const [, url = ''] = await started.printed(/Fixtura \S+ {2}(http\S+)\n[^]*\n\n/)
  return { ...started, url, port: Number(new URL(url).port) }
}

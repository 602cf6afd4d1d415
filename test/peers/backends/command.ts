import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Io, main } from '../../../src/cli/main.ts'
import { type Answer, createClient } from './client.ts'
import type { Style } from './yardstick.ts'

/** A recorded session: the answers of the real API in the order of the requests, and what the command has printed. */
export interface RecordedSession {
  recorded: Answer[]
  printed: string
}

/** Records a session with `mock record`, or with `mock import` from an archive of it, into a folder. */
export async function record(
  style: Style,
  origin: string,
  folder: string,
): Promise<RecordedSession> {
  return style.isImported
    ? importSession(style, origin, folder)
    : recordSession(style, origin, folder)
}

// Substitutes for personal data have tests of their own, and no real API has them.
const redact = ['--redact', 'none']

async function recordSession(
  { session, headers }: Style,
  origin: string,
  folder: string,
): Promise<RecordedSession> {
  const command = run(['record', origin, '--port', '0', ...redact], folder)
  const [url = ''] = await command.printed(/http:\/\/localhost:\d+/)
  const client = createClient((path, init) => fetch(url + path, init), [origin, url], headers)
  const recorded: Answer[] = []
  for (const step of session) recorded.push(await client.send(step))
  command.interrupt()
  return { recorded, printed: await command.ended }
}

async function importSession(
  { session, headers }: Style,
  origin: string,
  folder: string,
): Promise<RecordedSession> {
  const entries: unknown[] = []
  const client = createClient(
    async (path, init) => {
      const startedDateTime = new Date().toISOString()
      const response = await fetch(origin + path, init)
      const content = Buffer.from(await response.clone().arrayBuffer())
      entries.push(toEntry(origin + path, init, response, content, startedDateTime))
      return response
    },
    [origin],
    headers,
  )
  const recorded: Answer[] = []
  for (const step of session) recorded.push(await client.send(step))
  const log = { version: '1.2', creator: { name: 'browser', version: '1' }, entries }
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify({ log }))
  return { recorded, printed: await run(['import', 'traffic.har', ...redact], folder).ended }
}

/** An entry of an archive as a browser writes it. */
function toEntry(
  url: string,
  { method = 'GET', headers = {}, body }: RequestInit,
  response: Response,
  content: Buffer,
  startedDateTime: string,
): unknown {
  const toList = (lines: Iterable<readonly [string, string]>): object[] =>
    [...lines].map(([name, value]) => ({ name, value }))
  const mimeType = response.headers.get('Content-Type') ?? ''
  const isText = /json|text/.test(mimeType)
  return {
    startedDateTime,
    time: 4,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      headers: toList(Object.entries(headers as Record<string, string>)),
      queryString: toList(new URL(url).searchParams),
      ...(typeof body === 'string' && { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status: response.status,
      statusText: response.statusText,
      httpVersion: 'HTTP/1.1',
      headers: toList(response.headers),
      content: {
        size: content.length,
        mimeType,
        text: isText ? content.toString() : content.toString('base64'),
        ...(!isText && { encoding: 'base64' }),
      },
      redirectURL: response.headers.get('Location') ?? '',
    },
  }
}

interface Command {
  /** Waits for a printed text. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  interrupt(): void
  /** All that was printed. @throws Error for another exit code than 0 */
  ended: Promise<string>
}

/** Runs a command line in this process. */
function run(args: readonly string[], folder: string): Command {
  let text = ''
  let notify = (): void => undefined
  const listeners = new Map<string, () => void>()
  const write = (more: string): void => {
    text += more
    notify()
  }
  const io: Io = {
    stdout: { write },
    stderr: { write },
    stdin: {
      setEncoding: () => undefined,
      on: () => undefined,
      off: () => undefined,
      resume: () => undefined,
      pause: () => undefined,
    },
    env: {},
    cwd: () => folder,
    on: (signal, listener) => listeners.set(signal, listener),
    off: (signal) => listeners.delete(signal),
  }
  const ended = main(args, io).then((code) => {
    if (code !== 0) throw new Error(`mock ${args.join(' ')} has ended with ${code}: ${text}`)
    return text
  })
  return {
    ended,
    interrupt: () => listeners.get('SIGINT')?.(),
    printed: (pattern) =>
      Promise.race([
        ended.then(() => Promise.reject(new Error(`${String(pattern)} was not printed: ${text}`))),
        new Promise<RegExpExecArray>((resolve) => {
          notify = () => {
            const found = pattern.exec(text)
            if (found) resolve(found)
          }
        }),
      ]),
  }
}

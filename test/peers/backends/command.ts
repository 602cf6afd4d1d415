import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Io, main } from '../../../src/cli/main.ts'
import { type Answer, createClient } from './client.ts'
import type { Style } from './yardstick.ts'

/** The folders that a session is written into: by `mock record`, and by `mock import` from an archive of it. */
export const ways = ['record', 'import'] as const

/**
 * Plays a session through `mock record`, and imports an archive of the same requests with `mock import`, each into the
 * folder of its name. Returns the answers of the real API in the order of the requests.
 */
export async function record(
  { session, headers }: Style,
  origin: string,
  folder: string,
): Promise<Answer[]> {
  for (const way of ways) mkdirSync(join(folder, way))
  const command = run(['record', origin, '--port', '0', ...redact], join(folder, 'record'))
  const [url = ''] = await command.printed(/http:\/\/localhost:\d+/)
  const entries: unknown[] = []
  const client = createClient(
    async (path, init) => {
      const startedDateTime = new Date().toISOString()
      const response = await fetch(url + path, init)
      const content = Buffer.from(await response.clone().arrayBuffer())
      const entry = toEntry(url + path, init, response, content, startedDateTime)
      entries.push(JSON.parse(JSON.stringify(entry).replaceAll(url, origin)))
      return response
    },
    [origin, url],
    headers,
  )
  const answers: Answer[] = []
  for (const step of session) answers.push(await client.send(step))
  command.interrupt()
  await command.ended
  const log = { version: '1.2', creator: { name: 'browser', version: '1' }, entries }
  writeFileSync(join(folder, 'import', 'traffic.har'), JSON.stringify({ log }))
  await run(['import', 'traffic.har', ...redact], join(folder, 'import')).ended
  return answers
}

// Substitutes for personal data have tests of their own, and no real API has them.
const redact = ['--redact', 'none']

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

import { stat } from 'node:fs/promises'
import type { Recording } from '../core/behaviours/proxy/pass-on.ts'
import { configError } from '../core/errors/mock-error.ts'
import { originOf } from '../core/proxy/ends.ts'
import { toLabel } from '../loader/discover/discover.ts'
import { createCapture, type ProxiedExchange } from '../proxy/exchange.ts'
import { createRecorder } from '../record/session/recorder.ts'

/**
 * Creates the recorder of a proxy with `record`, which writes what it learns to the fixtures folder.
 * @throws MockError when the fixtures are not one folder, or `persist` writes to the same files
 */
export async function createProxyRecorder(
  upstream: string,
  { fixtures, cwd, persist = false }: RecordedFolder,
  onProblem: (message: string) => void,
): Promise<ProxyRecorder> {
  const [out = '', ...others] = fixtures
  const isFolder = others.length === 0 && (await stat(out)).isDirectory()
  if (!isFolder || persist) {
    const reason = persist
      ? '"persist" writes to the same files. Please leave one of them out.'
      : `"${toLabel(out, cwd)}" is not the only folder of fixtures. Please give one folder.`
    throw configError(`Failed to record with "proxy": ${reason}`)
  }
  const recorder = createRecorder({
    origin: originOf(upstream),
    out,
    cwd,
    limit: maxBody,
    onExchange: () => undefined,
    onProblem,
  })
  return {
    record: (recording) => recorder.add(toExchange(recording)),
    finish: async () => void (await recorder.close()),
  }
}

/** Learns from the exchanges (requests with their responses) of a proxy, and writes fixtures. */
export interface ProxyRecorder {
  record(recording: Recording): void
  /** Learns from all exchanges and writes the rest. */
  finish(): Promise<void>
}

/** The options that decide where a proxy records. */
interface RecordedFolder {
  /** The absolute paths of the fixtures. */
  fixtures: readonly string[]
  cwd: string
  persist: boolean | undefined
}

/** The largest body to learn from, in bytes. */
const maxBody = 8 * 1024 * 1024

function toExchange(recording: Recording): ProxiedExchange {
  const { startedAt, method, url, requestHeaders, requestBody, status, headers, body } = recording
  const captured = (bytes: Uint8Array): ProxiedExchange['body'] => {
    const capture = createCapture(maxBody)
    capture.add(bytes)
    return capture
  }
  const sent = typeof requestBody === 'string' ? Buffer.from(requestBody) : requestBody
  return {
    startedAt,
    method,
    url,
    requestHeaders,
    status,
    ms: 0,
    path: url.slice(originOf(url).length),
    requestBody: captured(sent ?? new Uint8Array()),
    headers,
    body: captured(body),
    failure: '',
  }
}

import { stat } from 'node:fs/promises'
import { maxRecorded, type Recording } from '../core/behaviours/proxy/pass-on.ts'
import type { ProxyRecorder } from '../core/behaviours/proxy/proxy.ts'
import { toMessage } from '../core/errors/error-details.ts'
import { configError } from '../core/errors/mock-error.ts'
import type { Behaviour } from '../core/http/contract/behaviour.ts'
import { isRecord, isSame, type Json } from '../core/json/json.ts'
import type { Learned } from '../core/learn/learned.ts'
import type { FileConfig } from '../core/mock/file-config.ts'
import { originOf } from '../core/proxy/ends.ts'
import { toBase } from '../core/url/base.ts'
import { toLabel } from '../loader/discover/discover.ts'
import { createCapture, type ProxiedExchange } from '../proxy/exchange.ts'
import type { FileSource } from '../loader/watch/file-source.ts'
import type { OwnConfig } from '../record/files/write-learned.ts'
import { toConfigObject } from '../record/prove/prove.ts'
import { createRecorder, type WrittenExchange } from '../record/session/recorder.ts'
import type { ResolvedConfig } from './config/resolve-config.ts'
import { replaceable } from './folder-behaviours.ts'
import { createRecordedAnswers } from './recorded-answers.ts'

/**
 * Creates the recorder of a proxy with `record`, which writes what it learns to the fixtures folder. Once written, the
 * mock answers the same reads, until a write passes through the proxy: the written fixtures and answers are loaded.
 * @throws MockError when the fixtures are not one folder, or `persist` writes to the same files
 */
export async function createProxyRecorder(
  upstream: string,
  config: ResolvedConfig,
  onProblem: (message: string) => void,
): Promise<RecordedProxy> {
  const { fixtures, cwd, persist = false } = config
  const [out = '', ...others] = fixtures
  const isFolder = others.length === 0 && (await stat(out)).isDirectory()
  if (!isFolder || persist) {
    const reason = persist
      ? '"persist" writes to the same files. Please leave one of them out.'
      : `"${toLabel(out, cwd)}" is not the only folder of fixtures. Please give one folder.`
    throw configError(`Failed to record with "proxy": ${reason}`)
  }
  let source: FileSource | undefined
  /** The resources of the folder before the recording, and those of the recording. */
  let own = new Set<string>()
  let recordedNames = new Set<string>()
  /** The URLs that the mock answers as recorded since the last write, and when that write was sent. */
  const served = new Set<string>()
  let changedAt = 0
  let answers: Behaviour | undefined

  let serving = Promise.resolve()

  async function serveWritten(
    exchanges: readonly WrittenExchange[],
    resources: readonly string[],
  ): Promise<void> {
    await source?.scanner.scan()
    ;[answers] = await createRecordedAnswers([out], cwd)
    recordedNames = new Set(resources)
    for (const { method, path, startedAt } of exchanges) {
      if (method === 'GET' && startedAt > changedAt) served.add(path)
    }
  }

  async function finish(): Promise<void> {
    const { learned, written } = await recorder.close()
    await serving
    const missing = written.reads.fromAnswers > 0 ? findMissing(learned, config) : undefined
    if (missing === undefined) return
    onProblem(
      `The recording of ${upstream} found options with which fixtures answer like the real API: ${missing}. Please add them to the configuration of the mock.`,
    )
  }
  let finished: Promise<void> | undefined

  const recorder = createRecorder({
    origin: originOf(upstream),
    out,
    cwd,
    limit: maxRecorded,
    config: toLearned(config),
    onExchange: () => undefined,
    onWritten(exchanges, resources) {
      // One after the other, so that older answers never replace newer ones.
      serving = serving
        .then(() => serveWritten(exchanges, resources))
        .catch((error: unknown) => onProblem(toMessage(error)))
    },
    onProblem,
  })
  return {
    recorder: {
      record(recording) {
        const { method, startedAt } = recording
        if (!safe.test(method)) {
          served.clear()
          changedAt = startedAt
        }
        recorder.add(toExchange(recording))
      },
      isRecorded: (name) => !own.has(name) && recordedNames.has(name),
      isServed: (url) => served.has(url),
    },
    answers: replaceable(
      'recorded',
      () => answers,
      (latest) => ({ at: { resource: (exchange) => latest()?.at?.resource?.(exchange) } }),
    ),
    follow(files) {
      source = files
      own = new Set(Object.keys(files.data))
    },
    finish: () => (finished ??= finish()),
  }
}

/** The recording of a proxy in a mock that is loaded from files. */
export interface RecordedProxy {
  recorder: ProxyRecorder
  /** Serves the recorded answers that are not among the fixtures. */
  answers: Behaviour
  /** Takes the files of the mock, which the recording changes. */
  follow(source: FileSource): void
  /** Learns from all exchanges and writes the rest. */
  finish(): Promise<void>
}

/** The methods that change nothing (RFC 9110 §9.2.1). */
const safe = /^(?:GET|HEAD|OPTIONS|TRACE)$/

/** Returns the options of a configuration that decide what fixtures answer, as if learned; undefined with functions. */
function toLearned(config: FileConfig): OwnConfig | undefined {
  const { id, relations, foreignKeySuffix, dialect } = config
  const base = toBase(config.base)
  const options = Object.entries({ id, relations, foreignKeySuffix, base })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ path: [key], value: value as Json, evidence: '' }))
  const dialects = [{ value: dialect as Json | undefined, evidence: '' }]
  try {
    return structuredClone({ options, dialects, base })
  } catch {
    return undefined
  }
}

/** Returns the learned options that a configuration lacks, as JSON; undefined if there are none. */
function findMissing({ options, dialects }: Learned, config: FileConfig): string | undefined {
  const own = new Map<string, unknown>(Object.entries(config))
  const missing = Object.entries(toConfigObject(options, dialects[0]?.value))
    .filter(([key, value]) => !hasOption(own.get(key), value))
    .map(([key, value]) => [
      key,
      key === 'base' && typeof value === 'string' ? toBase(config.base) + value : value,
    ])
  return missing.length === 0 ? undefined : JSON.stringify(Object.fromEntries(missing))
}

function hasOption(own: unknown, learned: Json): boolean {
  if (!isRecord(own) || !isRecord(learned)) return isSame(own, learned)
  return Object.entries(learned).every(([key, value]) => hasOption(own[key], value))
}

function toExchange(recording: Recording): ProxiedExchange {
  const { startedAt, method, url, requestHeaders, requestBody, status, headers, body } = recording
  const captured = (bytes: Uint8Array): ProxiedExchange['body'] => {
    const capture = createCapture(maxRecorded)
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

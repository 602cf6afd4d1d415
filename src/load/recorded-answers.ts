import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { MockError } from '../core/errors/mock-error.ts'
import { isRecord } from '../core/json/json.ts'
import type { Behaviour } from '../core/http/contract/behaviour.ts'
import { isStoredAnswer, type StoredAnswer } from '../core/learn/recorded/stored-answer.ts'
import { toLabel } from '../loader/discover/discover.ts'
import { readReasonOf } from '../loader/discover/path-problem.ts'
import { createLimit, MAX_READS } from '../loader/read/limit.ts'

/** Creates the behaviour that serves `_recorded`; none without. @throws MockError for a file that is no recorded answer */
export async function createRecordedAnswers(
  paths: readonly string[],
  cwd: string,
): Promise<Behaviour[]> {
  const folders = await Promise.all(
    paths.map((path) => readFolder(resolve(cwd, path, RECORDED), cwd)),
  )
  const answers = folders.flatMap((folder) => folder?.answers ?? [])
  if (folders.every((folder) => folder === undefined)) return []
  const { recorded } = await import('../core/learn/recorded/recorded.ts')
  return [recorded({ answers, redact: folders.flatMap((folder) => folder?.redact ?? []) })]
}

/** The folder of recorded answers inside a fixtures folder. */
export const RECORDED = '_recorded'

/** The file in the folder {@link RECORDED} with the state of the recorder. */
export const RECORDED_STATE = '_state.json'

interface Folder {
  answers: StoredAnswer[]
  redact: string[]
}

async function readFolder(folder: string, cwd: string): Promise<Folder | undefined> {
  const names = await readdir(folder).catch((): string[] => [])
  if (names.length === 0) return undefined
  const files = names.filter((name) => /^[^._].*\.json$/.test(name)).toSorted()
  const state = await readJson(join(folder, RECORDED_STATE)).catch(() => undefined)
  const redact = isRecord(state) ? state['redact'] : undefined
  const limit = createLimit(MAX_READS)
  const isList = Array.isArray(redact) && redact.every((name) => typeof name === 'string')
  return {
    answers: (
      await Promise.all(files.map((name) => limit(() => readAnswers(join(folder, name), cwd))))
    ).flat(),
    redact: isList ? redact : [],
  }
}

/** Reads the answers in a file: one, or a list. */
async function readAnswers(path: string, cwd: string): Promise<StoredAnswer[]> {
  const value = await readJson(path).catch((cause: unknown) => {
    // A recording has removed the file since the folder was listed.
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
    throw wrongAnswer(toLabel(path, cwd), readReasonOf(cause) ?? 'it is no JSON', cause)
  })
  const all = Array.isArray(value) ? (value as unknown[]) : [value]
  const wrong = all.findIndex((one) => !isStoredAnswer(one))
  if (wrong < 0) return all as StoredAnswer[]
  const subject = Array.isArray(value) ? `the answer at index ${wrong}` : 'it'
  throw wrongAnswer(toLabel(path, cwd), `${subject} lacks a method, a path or a status`)
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8')) as unknown
}

function wrongAnswer(label: string, reason: string, cause?: unknown): MockError {
  const message = `Failed to read the recorded answer "${label}": ${reason}. Please correct it, or delete it and record again.`
  return new MockError(message, { code: 'FIXTURES_INVALID', cause })
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, type JsonRecord, parseJson } from '../../core/json/json.ts'
import { RECORDED, RECORDED_STATE } from '../../load/recorded-answers.ts'

/** The state after a recording, by which the next one recognizes and keeps edits by hand. */
export interface State extends WrittenDigests {
  /** The names of fields that `--redact` named. */
  redact: string[]
  /** The collections of which the real API has shown no record at a path of its own. */
  listOnly: string[]
  /** The digests of a write that has begun. After a killed recording, the files can have either. */
  next?: WrittenDigests
}

/** Digests of written values, and the written configuration. */
export interface WrittenDigests {
  /** Digests of records by resource and id; a resource that is no collection has one digest, under an empty id. */
  resources: Record<string, Digests>
  /** Digests of recorded answers by file name. */
  answers: Digests
  config: JsonRecord
  /** The digest of the configuration's text, while the layout and the comments are those of the recorder. */
  layout?: string | undefined
}

/** Digests by a key. */
export type Digests = Readonly<Record<string, string>>

/** Returns the path of the state inside a folder of fixtures. */
export function statePath(out: string): string {
  return join(out, RECORDED, RECORDED_STATE)
}

/** Reads the state; returns an empty state if there is no file, or if the file is broken. */
export async function readState(out: string): Promise<State> {
  const read = await readFile(statePath(out), 'utf8')
    .then(parseJson)
    .catch(() => undefined)
  const state = isRecord(read) ? read : {}
  const { redact, listOnly, next } = state
  return {
    redact: Array.isArray(redact) ? redact.map(String) : [],
    listOnly: Array.isArray(listOnly) ? listOnly.map(String) : [],
    ...toDigests(state),
    ...(isRecord(next) && { next: toDigests(next) }),
  }
}

function toDigests({ resources, answers, config, layout }: JsonRecord): WrittenDigests {
  return {
    resources: isRecord(resources) ? (resources as WrittenDigests['resources']) : {},
    answers: isRecord(answers) ? (answers as Digests) : {},
    config: isRecord(config) ? config : {},
    layout: typeof layout === 'string' ? layout : undefined,
  }
}

/** Writes the text of a state: one line for each record, in order. */
export function toStateText(state: State): string {
  const about =
    'Written by the recorder, which recognizes edits by hand with it. Keep it beside the fixtures.'
  return `${JSON.stringify({ about, ...state }, null, 1)}\n`
}

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, type JsonRecord, parseJson } from '../../core/json/json.ts'
import { RECORDED, RECORDED_STATE } from '../../load/recorded-answers.ts'

/** Digests of the values of the last recording, by which the next one recognizes and keeps edits by hand. */
export interface State {
  /** The names of fields that `--redact` named. */
  redact: string[]
  /** Digests of records by resource and id; a resource that is no collection has one digest, under an empty id. */
  resources: Record<string, Record<string, string>>
  answers: Record<string, string>
  config: JsonRecord
}

/** Returns the path of the state inside a folder of fixtures. */
export function statePath(out: string): string {
  return join(out, RECORDED, RECORDED_STATE)
}

/** Reads the state; returns an empty state if there is no file, or if the file is broken. */
export async function readState(out: string): Promise<State> {
  try {
    const state = parseJson(await readFile(statePath(out), 'utf8'))
    const { redact, resources, answers, config } = isRecord(state) ? state : {}
    return {
      redact: Array.isArray(redact) ? redact.map(String) : [],
      resources: isRecord(resources) ? (resources as State['resources']) : {},
      answers: isRecord(answers) ? (answers as State['answers']) : {},
      config: isRecord(config) ? config : {},
    }
  } catch {
    return { redact: [], resources: {}, answers: {}, config: {} }
  }
}

/** Writes the text of a state: one line for each record, in order. */
export function toStateText(state: State): string {
  const about =
    'Written by the recorder, which recognizes edits by hand with it. Keep it beside the fixtures.'
  return `${JSON.stringify({ about, ...state }, null, 1)}\n`
}

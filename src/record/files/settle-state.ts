import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, isSame, type JsonRecord } from '../../core/json/json.ts'
import { digestOf } from '../../core/learn/recorded/stored-answer.ts'
import { RECORDED } from '../../load/recorded-answers.ts'
import { loadFixtures } from '../../loader/load.ts'
import { digestsOfAnswers } from './answer-files.ts'
import type { Digests, State } from './state.ts'
import { readConfigOptions } from './write-config.ts'

/**
 * Finds out how far a killed recording came with the write that its state announces as `next`, so that what it
 * wrote does not look like an edit by hand. Returns a state without `next`.
 */
export async function settleState(
  { next, ...state }: State,
  out: string,
  configFolder: string,
): Promise<State> {
  if (!next) return state
  const written = await digestsOfFixtures(out)
  const names = new Set([...Object.keys(state.resources), ...Object.keys(next.resources)])
  const resources = Array.from(names, (name): [string, Digests] => {
    const found = written.get(name) ?? new Set()
    return [name, settleDigests(state.resources[name], next.resources[name], found)]
  })
  const config = await readConfigOptions(configFolder)
  return {
    redact: state.redact,
    listOnly: state.listOnly,
    resources: Object.fromEntries(resources),
    answers: settleDigests(
      state.answers,
      next.answers,
      await digestsOfAnswers(join(out, RECORDED)),
    ),
    config: config ? settleConfig(state.config, next.config, config) : state.config,
  }
}

/** Chooses for each key the digest that is found; a value that is neither is an edit, or was never written. */
function settleDigests(
  before: Digests = {},
  next: Digests = {},
  found: ReadonlySet<string>,
): Digests {
  const settled: Record<string, string> = {}
  for (const key of new Set([...Object.keys(before), ...Object.keys(next)])) {
    const [old, begun] = [before[key], next[key]]
    if (begun !== undefined && found.has(begun)) settled[key] = begun
    // Without `begun`, the write removes the value, and has done so if the value is not found.
    else if (old !== undefined && (begun !== undefined || found.has(old))) settled[key] = old
  }
  return settled
}

function settleConfig(before: JsonRecord, next: JsonRecord, found: JsonRecord): JsonRecord {
  const settled: JsonRecord = { ...before }
  for (const [key, begun] of Object.entries(next)) {
    const [old = {}, value] = [before[key], found[key]]
    if (isRecord(old) && isRecord(begun) && isRecord(value)) {
      settled[key] = settleConfig(old, begun, value)
    } else if (isSame(value, begun)) settled[key] = begun
  }
  return settled
}

/** Returns the digests of the records of each resource, or of its value if it is no list. */
async function digestsOfFixtures(out: string): Promise<Map<string, Set<string>>> {
  const isThere = await stat(out).catch(() => undefined)
  const { sources } = isThere ? await loadFixtures([out]) : { sources: [] }
  return new Map(
    sources.map(({ name, value }) => [
      name,
      new Set([digestOf(value), ...[value].flat().map(digestOf)]),
    ]),
  )
}

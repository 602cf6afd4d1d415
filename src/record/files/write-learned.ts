import { readdir, readFile, unlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import type { JsonRecord } from '../../core/json/json.ts'
import type { Learned, LearnedOption, Question, RecordedAnswer } from '../../core/learn/learned.ts'
import { withoutFinalSlashes } from '../../core/learn/parse-exchange.ts'
import { idOf } from '../../core/learn/recognize/ids.ts'
import { RECORDED } from '../../load/recorded-answers.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { lockFixtures } from '../../loader/persist/lock.ts'
import { removeIfEmpty, STATE_FOLDER } from '../../loader/persist/state-folder.ts'
import {
  type Draft,
  findDifferences,
  prove,
  type ReplayResult,
  toConfigObject,
} from '../prove/prove.ts'
import { planAnswers } from './answer-files.ts'
import { settleState } from './settle-state.ts'
import { planConfig, type Evidence } from './write-config.ts'
import { readState, statePath, toStateText, type WrittenDigests } from './state.ts'
import { mergeFolder, planFixtures } from './write-fixtures.ts'
import { type PlannedFile, writeFileAtomically } from './write-file.ts'

/**
 * Writes fixtures, the configuration and recorded answers for `mock record` and `mock import`, with which a
 * mock answers every recorded read as the real API did. Files with the same content are not written; edits by
 * hand stay. A killed process leaves no partial files.
 * @throws MockError when a file cannot be written, or another process persists into the folder
 */
export async function writeLearned(all: Learned, options: WriteOptions): Promise<Written> {
  const { cwd = process.cwd(), redact = [], draft, config: own, session } = options
  const learned = own ? withConfig(all, own) : all
  const out = resolve(cwd, options.out)
  const labelOf = (path: string): string => toLabel(path, cwd)
  const lock = await lockFixtures([out], cwd)
  try {
    const folder = configFolder(out, cwd)
    await removeTemporaryFiles([out, join(out, RECORDED)], folder)
    const state = await settleState(await readState(out), out, folder)
    if (session) {
      session.base ??= state.config
      session.names ??= new Set([...Object.keys(state.resources), ...Object.keys(state.answers)])
    }
    const merged = await mergeFolder(out, learned.resources, state, session?.names)
    const { resources, others, questions, stale } = merged
    const isStale = new Set(stale.map(({ name }) => name))
    const data = {
      values: {
        ...others,
        ...Object.fromEntries(resources.map(({ name, value }) => [name, value])),
      },
      edited: new Set(resources.flatMap(({ name, isEdited }) => (isEdited ? [name] : []))),
      digests: new Map(resources.map(({ name, digests }) => [name, digests])),
    }
    const replayed = await prove(learned, data, draft)
    const answers = await planAnswers(
      out,
      replayed.answers,
      learned.reads,
      state.answers,
      session?.names,
    )
    const config = own
      ? { written: state.config, layout: state.layout, files: [], questions: [] }
      : await planConfig(
          toConfigObject(replayed.options, replayed.dialect.value),
          toEvidence(replayed.options, replayed),
          state,
          { folder, out, labelOf, base: session?.base },
        )
    const next: WrittenDigests = {
      resources: {
        ...Object.fromEntries(
          Object.entries(state.resources).filter(([name]) => !isStale.has(name)),
        ),
        ...Object.fromEntries(resources.map(({ name, digests }) => [name, digests])),
      },
      answers: answers.digests,
      config: config.written,
      layout: config.layout,
    }
    const planned = [...(await planFixtures(out, resources)), ...answers.files, ...config.files]
    const names = [...new Set([...state.redact, ...redact])].toSorted()
    const known = new Set(Object.keys(state.resources))
    const listOnly = namesOfListOnly(learned).filter(
      (name) => !known.has(name) || state.listOnly.includes(name),
    )
    const files = await writeAll(
      planned,
      [...answers.removals, ...stale.map(({ path }) => path)],
      labelOf,
      {
        path: statePath(out),
        before: toStateText({ ...state, redact: names, listOnly, next }),
        after: toStateText({ redact: names, listOnly, ...next }),
      },
    )
    return {
      files,
      reads: {
        fromRecords: replayed.fromRecords,
        fromAnswers: replayed.fromAnswers,
        outdated: replayed.outdated,
      },
      different: draft ? [] : await findDifferences(learned, data, replayed, redact),
      questions: [...learned.questions, ...questions, ...config.questions],
    }
  } finally {
    await lock.release()
  }
}

/** The options of {@link writeLearned}. */
export interface WriteOptions {
  /** The folder of the fixtures. */
  out: string
  /** The folder that relative paths start from. @default process.cwd() */
  cwd?: string | undefined
  /** The names of fields whose values the learner has replaced, for the comparison with later requests. */
  redact?: readonly string[] | undefined
  /** The configuration of the mock that records, which stays as it is; else the learned one is written. */
  config?: OwnConfig | undefined
  /** Shared by the writes of one recording: the options that earlier ones wrote, and the names of resources and answers. */
  session?: { base?: JsonRecord; names?: ReadonlySet<string> }
  /** While a recording goes on: what it remembers of the write before. Its last write has none, and proves all. */
  draft?: Draft
}

/** The configuration of a mock that records, as if learned. */
export interface OwnConfig extends Pick<Learned, 'options' | 'dialects'> {
  /** The path prefix of the mock, which recorded paths lack; empty or with a leading slash. */
  base: string
}

/** Returns everything learned as requests to the mock would show it, with the options and the prefix of the mock. */
function withConfig(learned: Learned, { base, ...config }: OwnConfig): Learned {
  const toOwn = <Part extends { path: string }>(part: Part): Part => ({
    ...part,
    path: withoutFinalSlashes(base + part.path),
  })
  return {
    ...learned,
    ...config,
    reads: learned.reads.map(toOwn),
    answers: learned.answers.map(toOwn),
    writes: learned.writes.map((write) => ({ ...write, exchange: toOwn(write.exchange) })),
  }
}

/** The result of {@link writeLearned}. */
export interface Written {
  /** The files that were written, relative to the working directory. */
  files: string[]
  /** The numbers of recorded reads that the mock answers as recorded. */
  reads: Pick<ReplayResult, 'fromRecords' | 'fromAnswers' | 'outdated'>
  /** The recorded reads that the mock answers differently, because of edits by hand. */
  different: RecordedAnswer[]
  questions: Question[]
}

/**
 * Writes and removes files between two writes of the state: a recording that is killed in between leaves a state
 * with which the next one recognizes both the old files and the new ones. Resolves to the labels of changed files.
 */
async function writeAll(
  planned: readonly PlannedFile[],
  removals: readonly string[],
  labelOf: (path: string) => string,
  state: { path: string; before: string; after: string },
): Promise<string[]> {
  const label = labelOf(state.path)
  const text = await readFile(state.path, 'utf8').catch(() => '')
  if (text !== state.after) await writeFileAtomically(state.path, state.before, label)
  const written: string[] = []
  for (const { path, text } of planned) {
    if (await writeFileAtomically(path, text, labelOf(path))) written.push(labelOf(path))
  }
  for (const path of removals) await unlink(path).catch(() => undefined)
  await writeFileAtomically(state.path, state.after, label)
  return written
}

/** Returns the collections of which no path has shown a single record. */
function namesOfListOnly({ resources, reads }: Learned): string[] {
  return resources.flatMap(({ name, kind, idField = 'id', value }) => {
    const ids = new Set([value].flat().map((record) => idOf(record, idField)))
    const isShown = reads.some(
      ({ status, resources: shown, segments }) =>
        status === 200 && shown.includes(name) && ids.has(segments.at(-1) ?? ''),
    )
    return kind === 'collection' && !isShown ? [name] : []
  })
}

/** Removes the temporary files of a killed recording; of the configuration's folder, that of the configuration alone. */
async function removeTemporaryFiles(
  folders: readonly string[],
  configFolder: string,
): Promise<void> {
  for (const folder of new Set([...folders, configFolder])) {
    const states = join(folder, STATE_FOLDER)
    const names = await readdir(states).catch((): string[] => [])
    for (const name of names) {
      if (!name.endsWith('.tmp')) continue
      const isOwn = folders.includes(folder) || name.startsWith('mock.config.')
      if (isOwn) await unlink(join(states, name)).catch(() => undefined)
    }
    if (names.length > 0) await removeIfEmpty(states)
  }
}

/** The working directory, or the parent of fixtures outside that directory. */
function configFolder(out: string, cwd: string): string {
  const path = relative(cwd, out)
  const isBelow = path !== '' && !path.startsWith('..') && !isAbsolute(path)
  return isBelow ? cwd : dirname(out)
}

function toEvidence(options: readonly LearnedOption[], { dialect }: ReplayResult): Evidence {
  const evidence = new Map(options.map(({ path, evidence }) => [path.join('.'), evidence]))
  if (dialect.value === undefined) return evidence
  evidence.set('dialect', dialect.evidence)
  for (const [key, text] of Object.entries(dialect.details ?? {})) {
    evidence.set(`dialect.rest.${key}`, text)
  }
  return evidence
}

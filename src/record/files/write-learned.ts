import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type {
  DialectCandidate,
  Learned,
  LearnedOption,
  Question,
  RecordedAnswer,
} from '../../core/learn/learned.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { lockFixtures } from '../../loader/persist/lock.ts'
import { findDifferences, prove, type ReplayResult, toConfigObject } from '../prove/prove.ts'
import { writeAnswers } from './answer-files.ts'
import { writeConfig, type Evidence } from './write-config.ts'
import { readState, type State, statePath, toStateText } from './state.ts'
import { mergeFolder, writeFixtures } from './write-fixtures.ts'
import { writeFileAtomically } from './write-file.ts'

/**
 * Writes fixtures, the configuration and recorded answers for `mock record` and `mock import`, with which a
 * mock answers every recorded read as the real API did. Files with the same content are not written; edits by
 * hand stay. A killed process leaves no partial files.
 * @throws MockError when a file cannot be written, or another process persists into the folder
 */
export async function writeLearned(learned: Learned, options: WriteOptions): Promise<Written> {
  const { cwd = process.cwd(), redact = [], isDraft = false } = options
  const out = resolve(cwd, options.out)
  const labelOf = (path: string): string => toLabel(path, cwd)
  const lock = await lockFixtures([out], cwd)
  try {
    const state = await readState(out)
    const { resources, others, questions } = await mergeFolder(out, learned.resources, state)
    const data = {
      values: {
        ...others,
        ...Object.fromEntries(resources.map(({ name, value }) => [name, value])),
      },
      edited: new Set(resources.flatMap(({ name, isEdited }) => (isEdited ? [name] : []))),
    }
    const replayed = await prove(learned, data)
    const files = await writeFixtures(out, resources, labelOf)
    const answers = await writeAnswers(out, replayed.answers, learned.reads, state.answers, labelOf)
    const config = await writeConfig(
      toConfigObject(learned.options, replayed.dialect.value),
      toEvidence(learned.options, replayed),
      state.config,
      { folder: configFolder(out, cwd), out, labelOf },
    )
    const next: State = {
      redact: [...new Set([...state.redact, ...redact])].toSorted(),
      resources: {
        ...state.resources,
        ...Object.fromEntries(resources.map(({ name, digests }) => [name, digests])),
      },
      answers: answers.digests,
      config: config.written,
    }
    await writeFileAtomically(statePath(out), toStateText(next), labelOf(statePath(out)))
    return {
      files: [...files, ...answers.files, ...config.files],
      reads: {
        fromRecords: replayed.fromRecords,
        fromAnswers: replayed.fromAnswers,
        outdated: replayed.outdated,
      },
      different: isDraft ? [] : await findDifferences(learned, data, replayed, redact),
      dialect: replayed.dialect,
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
  /** Whether a later write follows, which compares what the mock answers. @default false */
  isDraft?: boolean
}

/** The result of {@link writeLearned}. */
export interface Written {
  /** The files that were written, relative to the working directory. */
  files: string[]
  /** The numbers of recorded reads that the mock answers as recorded. */
  reads: Pick<ReplayResult, 'fromRecords' | 'fromAnswers' | 'outdated'>
  /** The recorded reads that the mock answers differently, because of edits by hand. */
  different: RecordedAnswer[]
  /** The dialect that answers the most reads as recorded. */
  dialect: DialectCandidate
  questions: Question[]
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

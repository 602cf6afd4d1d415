import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../core/json/json.ts'
import { hash } from '../../core/time/random.ts'
import { findBase } from '../../core/learn/recognize/resource-paths.ts'
import { compareTexts } from '../../core/learn/parse-exchange.ts'
import {
  digestOf,
  isStoredAnswer,
  type StoredAnswer,
} from '../../core/learn/recorded/stored-answer.ts'
import { addToMultimap } from '../../core/structures/add-to-multimap.ts'
import type { RecordedAnswer } from '../../core/learn/learned.ts'
import { answerKey } from '../../core/learn/to-answers.ts'
import { RECORDED } from '../../load/recorded-answers.ts'
import type { Digests } from './state.ts'
import type { PlannedFile } from './write-file.ts'

/**
 * Decides what to write to `_recorded/`, one file for each first name of a path, and which needless answers to remove;
 * edited answers stay. `earlier` has the names of answers that recordings before this one have written.
 */
export async function planAnswers(
  out: string,
  answers: readonly StoredAnswer[],
  reads: readonly RecordedAnswer[],
  before: Digests,
  earlier: ReadonlySet<string> = new Set(Object.keys(before)),
): Promise<PlannedAnswers> {
  const folder = join(out, RECORDED)
  const { existing, broken } = await readAnswers(folder)
  const wanted = new Map(answers.map((answer) => [answerName(answer), answer]))
  const digests: Record<string, string> = { ...before }
  const changed = new Map(Array.from(existing, ([name, { answer }]) => [name, answer]))
  /** Whether the recorder wrote the answer and nobody has changed it since, or whether the answer is new. */
  const isOwn = (name: string): boolean => {
    const found = existing.get(name)
    const written = before[name]
    return written === undefined
      ? !found
      : found !== undefined && digestOf(found.answer) === written
  }
  for (const [name, answer] of wanted) {
    if (!isOwn(name)) continue
    changed.set(name, answer)
    digests[name] = digestOf(answer)
  }
  const fresh = Object.keys(before).filter((name) => !earlier.has(name))
  for (const name of [...reads.map(answerName), ...fresh]) {
    if (wanted.has(name) || before[name] === undefined || !isOwn(name)) continue
    changed.delete(name)
    delete digests[name]
  }
  const fileOf = toFileNames(changed.values())
  const files = new Map<string, StoredAnswer[]>()
  const sorted = [...changed].toSorted(([a], [b]) => compareTexts(a, b))
  for (const [name, answer] of sorted) {
    addToMultimap(files, existing.get(name)?.file ?? fileOf(answer), answer)
  }
  const old = new Set(Array.from(existing.values(), ({ file }) => file))
  return {
    // A file that is broken waits for its correction.
    files: [...files]
      .filter(([file]) => !broken.has(file))
      .map(([file, list]) => ({
        path: join(folder, file),
        text: `${JSON.stringify(list, null, 2)}\n`,
      })),
    removals: [...old]
      .filter((file) => !files.has(file) && !broken.has(file))
      .map((file) => join(folder, file)),
    digests: Object.fromEntries(Object.entries(digests).toSorted(([a], [b]) => compareTexts(a, b))),
  }
}

/** Reads the answers in a folder by their names, with the files that have them, and finds files with other content. */
async function readAnswers(folder: string): Promise<{
  existing: Map<string, { answer: StoredAnswer; file: string }>
  broken: ReadonlySet<string>
}> {
  const names = await readdir(folder).catch((): string[] => [])
  const files = names.filter((name) => /^[^._].*\.json$/.test(name)).toSorted()
  const existing = new Map<string, { answer: StoredAnswer; file: string }>()
  const broken = new Set<string>()
  for (const file of files) {
    const read = await readFile(join(folder, file), 'utf8')
      .then(parseJson)
      .catch(() => undefined)
    for (const answer of [read].flat()) {
      if (isStoredAnswer(answer)) existing.set(answerName(answer), { answer, file })
      else broken.add(file)
    }
  }
  return { existing, broken }
}

/** Returns the function that names the file of an answer after the first name in which the paths of answers differ. */
function toFileNames(answers: Iterable<StoredAnswer>): (answer: StoredAnswer) => string {
  const all = Array.from(answers, ({ path }) => path.split('/').slice(1))
  const base = findBase(all).split('/').length - 1
  return ({ path }) => {
    const name = path.split('/')[base + 1]?.replaceAll(/[^\w-]+/g, '-') ?? ''
    return `${/^[^._]/.test(name) ? name : `answers${name}`}.json`
  }
}

/** The result of {@link planAnswers}: the files to write and to remove, and the digests of all answers by name. */
export interface PlannedAnswers {
  files: PlannedFile[]
  /** The paths of the files to remove. */
  removals: string[]
  digests: Digests
}

/** Returns the name of a recorded answer in the state: readable, and different for each request. */
function answerName({
  method,
  path,
  query = [],
  body,
  anonymous,
  check,
}: Omit<StoredAnswer, 'status' | 'check'> & Pick<RecordedAnswer, 'check'>): string {
  const words = path.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '')
  const key = answerKey({ method, path, query, sent: body, ...(anonymous && { anonymous }), check })
  return `${method.toLowerCase()}-${words.slice(0, 60)}-${hash(key).toString(36)}`
}

/** Returns the digests of all answers in a folder. */
export async function digestsOfAnswers(folder: string): Promise<Set<string>> {
  const { existing } = await readAnswers(folder)
  return new Set(Array.from(existing.values(), ({ answer }) => digestOf(answer)))
}

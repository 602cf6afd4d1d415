import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../core/json/json.ts'
import { hash } from '../../core/time/random.ts'
import { digestOf, type StoredAnswer } from '../../core/learn/recorded/stored-answer.ts'
import type { RecordedAnswer } from '../../core/learn/learned.ts'
import { requestKey } from '../../core/learn/to-answers.ts'
import { RECORDED } from '../../load/recorded-answers.ts'
import type { Digests } from './state.ts'
import type { PlannedFile } from './write-file.ts'

/** Decides which recorded answers to write to `_recorded/`, and which needless ones to remove; edited files stay. */
export async function planAnswers(
  out: string,
  answers: readonly StoredAnswer[],
  reads: readonly RecordedAnswer[],
  before: Digests,
): Promise<PlannedAnswers> {
  const folder = join(out, RECORDED)
  const existing = new Set(await readdir(folder).catch((): string[] => []))
  const wanted = new Map(answers.map((answer) => [answerFile(answer), answer]))
  const digests: Record<string, string> = { ...before }
  const files: PlannedFile[] = []
  const removals: string[] = []
  /** Whether the recorder wrote the file and nobody has changed it since, or whether the file is new. */
  const isOwn = async (name: string): Promise<boolean> => {
    const written = before[name]
    if (written === undefined) return !existing.has(name)
    return existing.has(name) && (await digestOfFile(join(folder, name))) === written
  }
  for (const [name, answer] of wanted) {
    if (!(await isOwn(name))) continue
    files.push({ path: join(folder, name), text: `${JSON.stringify(answer, null, 2)}\n` })
    digests[name] = digestOf(answer)
  }
  for (const name of reads.map(answerFile)) {
    if (wanted.has(name) || before[name] === undefined || !(await isOwn(name))) continue
    removals.push(join(folder, name))
    delete digests[name]
  }
  const sorted = Object.entries(digests).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { files, removals, digests: Object.fromEntries(sorted) }
}

/** The result of {@link planAnswers}: the files to write and to remove, and the digests of all answers by file name. */
export interface PlannedAnswers {
  files: PlannedFile[]
  /** The paths of the files to remove. */
  removals: string[]
  digests: Digests
}

/** Returns the name of the file of a recorded answer: readable, and different for each request. */
export function answerFile({
  method,
  path,
  query = [],
  body,
}: Omit<StoredAnswer, 'status'>): string {
  const words = path.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '')
  const key = requestKey({ method, path, query, sent: body })
  return `${method.toLowerCase()}-${words.slice(0, 60)}-${hash(key).toString(36)}.json`
}

/** Returns the digest of the JSON in a file; undefined if there is none. */
export async function digestOfFile(path: string): Promise<string | undefined> {
  try {
    return digestOf(parseJson(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

import { readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { parseJson } from '../../core/json/json.ts'
import { hash } from '../../core/time/random.ts'
import { digestOf, type StoredAnswer } from '../../core/learn/recorded/stored-answer.ts'
import type { RecordedAnswer } from '../../core/learn/learned.ts'
import { requestKey } from '../../core/learn/to-answers.ts'
import { RECORDED } from '../../load/recorded-answers.ts'
import { writeFileAtomically } from './write-file.ts'

/** Writes recorded answers to `_recorded/`, removes needless ones, and leaves edited files alone. */
export async function writeAnswers(
  out: string,
  answers: readonly StoredAnswer[],
  reads: readonly RecordedAnswer[],
  before: Readonly<Record<string, string>>,
  labelOf: (path: string) => string,
): Promise<WrittenAnswers> {
  const folder = join(out, RECORDED)
  const existing = new Set(await readdir(folder).catch((): string[] => []))
  const wanted = new Map(answers.map((answer) => [answerFile(answer), answer]))
  const digests: Record<string, string> = { ...before }
  const files: string[] = []
  /** Whether the recorder wrote the file and nobody has changed it since, or whether the file is new. */
  const isOwn = async (name: string): Promise<boolean> => {
    const written = before[name]
    if (written === undefined) return !existing.has(name)
    return existing.has(name) && (await digestOfFile(join(folder, name))) === written
  }
  for (const [name, answer] of wanted) {
    const path = join(folder, name)
    if (!(await isOwn(name))) continue
    if (await writeFileAtomically(path, `${JSON.stringify(answer, null, 2)}\n`, labelOf(path))) {
      files.push(labelOf(path))
    }
    digests[name] = digestOf(answer)
  }
  for (const name of reads.map(answerFile)) {
    if (wanted.has(name) || before[name] === undefined || !(await isOwn(name))) continue
    await unlink(join(folder, name)).catch(() => undefined)
    delete digests[name]
  }
  const sorted = Object.entries(digests).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { files, digests: Object.fromEntries(sorted) }
}

/** The result of {@link writeAnswers}: the files that were written, and the digests of all answers by file name. */
export interface WrittenAnswers {
  files: string[]
  digests: Record<string, string>
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

async function digestOfFile(path: string): Promise<string | undefined> {
  try {
    return digestOf(parseJson(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

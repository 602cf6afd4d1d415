import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { isRecord, type Json } from '../../core/json/json.ts'
import type { LearnedResource, Question } from '../../core/learn/learned.ts'
import { loadFixtures } from '../../loader/load.ts'
import { createFixtureText } from '../../loader/persist/patch-text.ts'
import { isProgram, type LoadedFile } from '../../loader/read/read-file.ts'
import { digestOf } from '../../core/learn/recorded/stored-answer.ts'
import { isRecords } from '../../core/learn/recognize/envelope.ts'
import type { Digests, State } from './state.ts'
import { mergeResource } from './merge-data.ts'
import type { PlannedFile } from './write-file.ts'

/**
 * Merges learned resources with the fixture files of a folder, before anything is written: edits by hand stay. A file of
 * this recording is stale if its resource has got another name since; `earlier` has the names of recordings before.
 */
export async function mergeFolder(
  out: string,
  learned: readonly LearnedResource[],
  state: State,
  earlier: ReadonlySet<string> = new Set(Object.keys(state.resources)),
): Promise<MergedFolder> {
  const isThere = await stat(out).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  const { files, sources } = isThere ? await loadFixtures([out]) : { files: new Map(), sources: [] }
  const known = new Map(
    [...(files as ReadonlyMap<string, LoadedFile>).values()]
      .filter(({ kind, scenario }) => kind === 'resource' && scenario === undefined)
      .map((file) => [file.name, file]),
  )
  const questions: Question[] = []
  const resources = learned.map((resource): MergedFile => {
    const { name, idField = 'id' } = resource
    const file = known.get(name)
    const existing = file?.sources[0]?.value
    const isFixed = file !== undefined && (isProgram(file) || existing === undefined)
    if (isFixed) {
      const reason = isProgram(file) ? 'is a module' : 'has an error'
      questions.push({ text: `${file.label} ${reason}, so that it was left as it is.`, option: '' })
    }
    const merged = isFixed
      ? { value: existing ?? null, digests: state.resources[name] ?? {}, isEdited: true }
      : mergeResource(resource, existing, file ? state.resources[name] : {})
    return { name, idField, ...merged, ...(file && { file }) }
  })
  const names = new Set(resources.map(({ name }) => name))
  const stale = [...known.values()].filter(
    ({ name, sources: [source] }) =>
      !names.has(name) && !earlier.has(name) && isUnchanged(source?.value, state.resources[name]),
  )
  const staleNames = new Set(stale.map(({ name }) => name))
  const others = sources.filter(({ name }) => !names.has(name) && !staleNames.has(name))
  return {
    resources,
    others: Object.fromEntries(others.map(({ name, value }) => [name, value])),
    questions,
    stale,
  }
}

/** Whether a file has nothing but values that a recording has written. */
function isUnchanged(value: Json | undefined, digests: Digests = {}): boolean {
  const written = new Set(Object.values(digests))
  const values = isRecords(value) ? value : [value ?? null]
  return written.size > 0 && values.every((one) => written.has(digestOf(one)))
}

/** Returns the texts of resources in the layout of their files. */
export async function planFixtures(
  out: string,
  resources: readonly MergedFile[],
): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = []
  for (const { name, value, idField, file } of resources) {
    if (file && isProgram(file)) continue
    const text = file
      ? await updateText(file, value, idField)
      : `${JSON.stringify(value, null, 2)}\n`
    if (text !== undefined) planned.push({ path: file?.path ?? join(out, `${name}.json`), text })
  }
  return planned
}

/** A learned resource, merged with its file. */
export interface MergedFile {
  name: string
  value: Json
  idField: string
  isEdited: boolean
  digests: Record<string, string>
  /** The file that already holds the resource. */
  file?: LoadedFile
}

/** The result of {@link mergeFolder}: the data that a recording will write. */
export interface MergedFolder {
  resources: MergedFile[]
  /** The data of other files, which the mock serves too. */
  others: Record<string, Json>
  questions: Question[]
  stale: LoadedFile[]
}

async function updateText(
  file: LoadedFile,
  value: Json,
  idField: string,
): Promise<string | undefined> {
  const before = file.sources[0]?.value
  if (before === undefined || !/^\.json[c5]?$/.test(extname(file.path))) return undefined
  const text = createFixtureText(await readFile(file.path, 'utf8'), before, {
    isKept: (key) => key === '$schema',
    idsOf: (path, list) => (path.length === 0 ? toIds(list, idField) : undefined),
  })
  text.update(value)
  return Array.from(text.pieces()).join('')
}

function toIds(list: readonly Json[], idField: string): string[] | undefined {
  const ids = list.map((record) => (isRecord(record) ? record[idField] : undefined))
  const isComplete = ids.every((id) => typeof id === 'string' || typeof id === 'number')
  return isComplete ? ids.map(String) : undefined
}

import { setImmediate } from 'node:timers/promises'
import type { Diagnostic, Source } from '../core/fixtures/source.ts'
import { discover, type Discovery, type FixtureFile } from './discover/discover.ts'
import { readFixture, type LoadedFile, keysTo, readText } from './read/read-file.ts'
import { findDanglingKeys, type KeyOptions } from './check/dangling-keys.ts'
import type { Json } from '../core/json/json.ts'
import { suggest } from '../core/errors/nearest.ts'
import { diagnose } from './check/diagnose.ts'
import { castRows } from './text/sql.ts'
import type { Problem } from './check/problem.ts'

/** Loads the fixtures at some paths: diagnostics, and the resources that have no error. */
export async function loadFixtures(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadResult> {
  const found = await discover(paths, options.cwd ?? process.cwd())
  const loaded = await readAll(found.files, (file) => readFixture(file, options.id))
  const result = await combine(found, loaded)
  const dangling = await findDanglingKeys(loaded, options)
  return { ...result, diagnostics: [...result.diagnostics, ...dangling] }
}

/** The options of {@link loadFixtures}. */
export interface LoadOptions extends KeyOptions {
  /** The folder that relative paths start from. @default process.cwd() */
  cwd?: string | undefined
}

/** The resources and problems of all files at some paths. */
export interface LoadResult extends Assembled {
  /** The problems of all files. An error means that a resource cannot be served in its current state. */
  diagnostics: Diagnostic[]
  /** The files by absolute path. */
  files: ReadonlyMap<string, LoadedFile>
  /** The absolute paths of the folders in which fixtures are looked for. */
  folders: readonly string[]
  /** The absolute paths of the symbolic links among the files and folders. */
  links: readonly string[]
  /** Labels of files in folders that belong to tools, or look like fixtures in an unsupported format. */
  skipped: readonly string[]
}

/** Combines found files with their content. A source that `before` served keeps its place over duplicates. */
export async function combine(
  { diagnostics, folders, links, skipped }: Discovery,
  loaded: readonly LoadedFile[],
  before?: LoadResult,
): Promise<LoadResult> {
  const files = new Map(loaded.map((file) => [file.path, file]))
  const assembled = await assemble(files.values(), before)
  const fileDiagnostics = loaded.flatMap((file) => file.diagnostics)
  return {
    ...assembled,
    diagnostics: [...diagnostics, ...fileDiagnostics, ...assembled.diagnostics],
    files,
    folders,
    links,
    skipped,
  }
}

/** Reads files in batches, so that a large folder does not exhaust the file handles of the process. */
export async function readAll(
  files: readonly FixtureFile[],
  read: (file: FixtureFile) => LoadedFile | Promise<LoadedFile>,
): Promise<LoadedFile[]> {
  const loaded: LoadedFile[] = []
  const yieldToEvents = createYield()
  for (let i = 0; i < files.length; i += BATCH_SIZE) {
    const batch = files.slice(i, i + BATCH_SIZE).map(read)
    loaded.push(...(areLoaded(batch) ? batch : await Promise.all(batch.map(async (file) => file))))
    await yieldToEvents()
  }
  return loaded
}

function areLoaded(files: (LoadedFile | Promise<LoadedFile>)[]): files is LoadedFile[] {
  return !files.some((file) => file instanceof Promise)
}

const BATCH_SIZE = 32

/** Combines files by resource name: the one that `before` served wins, else the first; the other is an error. */
async function assemble(files: Iterable<LoadedFile>, before?: Assembled): Promise<Assembled> {
  const main = new Map<string, Candidate>()
  const scenarios = new Map<string, Map<string, Candidate>>()
  const schemas = new Map<string, LoadedFile>()
  const typed: Record<string, Json> = {}
  const duplicates: Duplicate[] = []
  const served = new Set(before?.sources.map((source) => source.file))
  // Types bring the tables that no other file has.
  const ordered = [...files].sort((a, b) => Number(a.kind === 'types') - Number(b.kind === 'types'))
  for (const file of ordered) {
    if (file.kind === 'types') Object.assign(typed, file.schema)
    const candidates = file.scenario === undefined ? main : getOrAdd(scenarios, file.scenario)
    for (const source of latestSources(file)) {
      if (file.kind === 'types' && candidates.has(source.name)) continue
      const candidate = { file, source, isValid: file.sources.includes(source) }
      const other = candidates.get(source.name)
      const isServed = served.has(source.file) && !served.has(other?.source.file ?? '')
      if (!other || isServed) candidates.set(source.name, candidate)
      if (other) duplicates.push(isServed ? [other, candidate] : [candidate, other])
    }
    if (file.kind === 'schema' && file.scenario === undefined) schemas.set(file.name, file)
  }
  const unused = [...schemas].filter(([name]) => !main.has(name))
  const diagnostics = await Promise.all([
    ...duplicates.map(diagnoseDuplicate),
    ...unused.map(([name, file]) => diagnoseUnusedSchema(file, name, [...main.keys()])),
  ])
  const own = Array.from(schemas, ([name, { schema }]) =>
    schema === undefined ? {} : { [name]: schema },
  )
  const all: Record<string, Json> = Object.assign(typed, ...own)
  return {
    sources: validSources(main).map((one) => {
      const isSql = /\.sql(?:#|$)/i.test(one.file)
      return isSql ? { ...one, value: castRows(one.value, all[one.name]) } : one
    }),
    schemas: all,
    scenarios: Object.fromEntries([...scenarios].map(([name, set]) => [name, validSources(set)])),
    diagnostics: diagnostics.flat(),
  }
}

/** The data of all loaded fixture files, combined by resource name, with the problems between files. */
export interface Assembled {
  /** One source for each resource, in the order of the files. */
  sources: Source[]
  /** JSON Schemas by the name of the resource they describe. */
  schemas: Record<string, Json>
  /** The sources of each folder below `_scenarios`, by the folder's name. */
  scenarios: Record<string, Source[]>
  /** Problems between files: two sources of a resource, and schemas without a resource. */
  diagnostics: Diagnostic[]
}

interface Candidate {
  file: LoadedFile
  source: Source
  /** Whether the source can be served. An invalid source is only compared with others of its name. */
  isValid: boolean
}

/** Two sources of a resource: the source that is left out, and the source that is used. */
type Duplicate = [unused: Candidate, used: Candidate]

/** The last valid source of each resource in a file, and the sources that have never been valid. */
function latestSources(file: LoadedFile): Source[] {
  const valid = new Set(file.sources.map((source) => source.name))
  return [...file.sources, ...file.drafts.filter((draft) => !valid.has(draft.name))]
}

function getOrAdd(sets: Map<string, Map<string, Candidate>>, name: string): Map<string, Candidate> {
  const set = sets.get(name) ?? new Map<string, Candidate>()
  sets.set(name, set)
  return set
}

function validSources(candidates: Map<string, Candidate>): Source[] {
  return [...candidates.values()].filter(({ isValid }) => isValid).map(({ source }) => source)
}

async function diagnoseDuplicate([{ file, source }, used]: Duplicate): Promise<Diagnostic[]> {
  const problem: Problem = {
    severity: 'error',
    path: keysTo(file, source),
    problem: `"${source.name}" comes from two sources, "${used.source.file}" and "${source.file}"`,
    advice: 'Please remove or rename one of them.',
  }
  return diagnose(file, [problem], await readText(file))
}

async function diagnoseUnusedSchema(
  file: LoadedFile,
  name: string,
  known: string[],
): Promise<Diagnostic[]> {
  const problem: Problem = {
    severity: 'warning',
    path: [],
    problem: `it describes "${name}", which no fixture holds`,
    advice: suggest(name, known),
  }
  return diagnose(file, [problem], await readText(file))
}

/** Creates a function that yields to the event loop when synchronous calls have blocked it for 10 ms. */
function createYield(): () => Promise<void> {
  let start = performance.now()
  return async () => {
    if (performance.now() - start < MAX_BLOCKED) return
    await setImmediate()
    start = performance.now()
  }
}

/** In milliseconds. */
const MAX_BLOCKED = 10

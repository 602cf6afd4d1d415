import type { Json } from '../core/json/json.ts'
import { suggest } from '../core/errors/nearest.ts'
import type { Diagnostic, Source } from '../core/fixtures/source.ts'
import { diagnose } from './check/diagnose.ts'
import { keysTo, readText, type LoadedFile } from './read/read-file.ts'
import type { Problem } from './check/shape.ts'

/**
 * Combines the contents of all fixture files by resource name. If two files define a resource, the source
 * (value and file) that `before` served wins, or otherwise the first source; the other source is reported as
 * an error.
 */
export async function assemble(
  files: Iterable<LoadedFile>,
  before?: Assembled,
): Promise<Assembled> {
  const main = new Map<string, Candidate>()
  const scenarios = new Map<string, Map<string, Candidate>>()
  const schemas = new Map<string, LoadedFile>()
  const duplicates: Duplicate[] = []
  const served = new Set(before?.sources.map((source) => source.file))
  for (const file of files) {
    const candidates = file.scenario === undefined ? main : getOrAdd(scenarios, file.scenario)
    for (const source of latestSources(file)) {
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
  return {
    sources: validSources(main),
    schemas: Object.fromEntries(
      [...schemas].flatMap(([name, { schema }]) => (schema === undefined ? [] : [[name, schema]])),
    ),
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

/** A source that may become the source of its resource. */
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

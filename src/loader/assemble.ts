import type { Json } from '../core/json/json.ts'
import { suggest } from '../core/errors/nearest.ts'
import type { Diagnostic, Source } from '../core/fixtures/source.ts'
import { diagnose } from './check/diagnose.ts'
import { keysTo, readText, type LoadedFile } from './read/read-file.ts'
import type { Problem } from './check/shape.ts'

/** What the files say together. */
export interface Assembled {
  /** One source for each resource, in the order of the files. */
  sources: Source[]
  /** JSON Schemas by the name of the resource they describe. */
  schemas: Record<string, Json>
  /** The sources of each folder below `_scenarios`, by the folder's name. */
  scenarios: Record<string, Source[]>
  /** Problems that show only between files. */
  diagnostics: Diagnostic[]
}

/**
 * Puts the files together. Of two sources for one resource the one that `before` took stays, else the
 * first counts, and the other is an error that names both.
 */
export async function assemble(
  files: Iterable<LoadedFile>,
  before?: Assembled,
): Promise<Assembled> {
  const main = new Map<string, Owned>()
  const scenarios = new Map<string, Map<string, Owned>>()
  const schemas = new Map<string, LoadedFile>()
  const clashes: Clash[] = []
  const served = new Set(before?.sources.map((source) => source.source))
  for (const file of files) {
    const set = file.scenario === undefined ? main : entry(scenarios, file.scenario)
    for (const source of newest(file)) {
      const mine = { file, source, isSound: file.sources.includes(source) }
      const other = set.get(source.name)
      const isServed = served.has(source.source) && !served.has(other?.source.source ?? '')
      if (!other || isServed) set.set(source.name, mine)
      if (other) clashes.push(isServed ? [other, mine] : [mine, other])
    }
    if (file.kind === 'schema' && file.scenario === undefined) schemas.set(file.name, file)
  }
  const lost = [...schemas].filter(([name]) => !main.has(name))
  return {
    sources: soundOf(main),
    schemas: toRecord([...schemas].map(([name, { schema }]) => [name, schema])),
    scenarios: Object.fromEntries([...scenarios].map(([name, set]) => [name, soundOf(set)])),
    diagnostics: [
      ...(await Promise.all(clashes.map(toClashDiagnostic))),
      ...(
        await Promise.all(lost.map(([name, file]) => toLostSchema(file, name, [...main.keys()])))
      ).flat(),
    ],
  }
}

interface Owned {
  file: LoadedFile
  source: Source
  /** Whether it may be served; what is not sound only takes part in the check for two sources. */
  isSound: boolean
}

/** The source that is left out, and the one that counts. */
type Clash = [out: Owned, counts: Owned]

/** The last good source of each name in a file, and the names that were never good. */
function newest(file: LoadedFile): Source[] {
  const good = new Set(file.sources.map((source) => source.name))
  return [...file.sources, ...file.drafts.filter((draft) => !good.has(draft.name))]
}

function entry(sets: Map<string, Map<string, Owned>>, name: string): Map<string, Owned> {
  const set = sets.get(name) ?? new Map<string, Owned>()
  sets.set(name, set)
  return set
}

function soundOf(set: Map<string, Owned>): Source[] {
  return [...set.values()].filter((owned) => owned.isSound).map((owned) => owned.source)
}

function toRecord(entries: [name: string, schema: Json | undefined][]): Record<string, Json> {
  return Object.fromEntries(entries.filter((pair): pair is [string, Json] => pair[1] !== undefined))
}

async function toClashDiagnostic([out, counts]: Clash): Promise<Diagnostic> {
  const { name, source } = out.source
  const problem: Problem = {
    severity: 'error',
    path: keysTo(out.file, out.source),
    problem: `"${name}" comes from two sources, "${counts.source.source}" and "${source}"`,
    advice: 'Please remove or rename one of them.',
  }
  const [diagnostic] = diagnose(out.file, [problem], await readText(out.file))
  return diagnostic ?? { severity: 'error', file: out.file.label, message: problem.problem }
}

async function toLostSchema(
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

import { basename, extname } from 'node:path'
import type { LoadedFile } from '../../loader/read/read-file.ts'
import { type Entry, importData } from './entry-parts.ts'
import { quote, toKey, wrap } from './to-source.ts'

/** Writes the option `fixtures` of a worker: an object of the imported fixtures by resource name. */
export function toFixtures(entry: Entry): string {
  const files = [...entry.project.files.files.values()]
  return toMembers(
    entry,
    files.filter(({ scenario }) => scenario === undefined),
    '    ',
  )
}

/** Writes the imported JSON Schemas of the fixtures by resource name; undefined without schemas. */
export function toSchemas(entry: Entry): string | undefined {
  const { files, dataImports } = entry.project
  const loaded = [...files.files.values()].filter(({ scenario }) => scenario === undefined)
  const imported = loaded.filter(({ path }) => dataImports.has(path))
  const names = new Set(imported.flatMap(({ sources }) => sources.map(({ name }) => name)))
  const used = loaded.filter(({ kind, name }) => kind === 'schema' && names.has(name))
  const members = used.flatMap(({ name, path }) => {
    const data = importData(entry, path, `${name} schema`)?.data
    return data === undefined ? [] : [`${toKey(name)}: ${data}`]
  })
  return members.length === 0 ? undefined : wrap('{}', members, '      ')
}

/** Writes the imported fixtures of the scenarios by name; undefined without scenarios. */
export function toScenarioSets(entry: Entry): string | undefined {
  const { files, scenarios } = entry.project.files
  const sets = Object.keys(scenarios).map((name) => {
    const own = [...files.values()].filter(({ scenario }) => scenario === name)
    return `${toKey(name)}: { fixtures: ${toMembers(entry, own, '          ')} }`
  })
  return sets.length === 0 ? undefined : wrap('{}', sets, '        ')
}

function toMembers(entry: Entry, files: readonly LoadedFile[], indent: string): string {
  const data = files.filter(({ kind }) => kind !== 'schema')
  return wrap(
    '{}',
    data.flatMap((file) => toMember(entry, file)),
    indent,
  )
}

/** The members of an object for a file. The keys of a database are names, so that the database is spread. */
function toMember(entry: Entry, file: LoadedFile): string[] {
  const { path, name, kind, scenario = '', sources } = file
  const words = `${scenario} ${basename(name || path, extname(path))} data`
  const imported = importData(entry, path, words)
  if (!imported) return []
  if (kind !== 'database') return [`${toKey(name)}: ${imported.data}`]
  const prefix = name.slice(0, name.lastIndexOf('/') + 1)
  if (prefix === '') return [`...${imported.isWhole ? imported.name : imported.data}`]
  return sources.map((source) => {
    const key = quote(source.name.slice(prefix.length))
    return `${toKey(source.name)}: ${imported.name}[${key}]`
  })
}

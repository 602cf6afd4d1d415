import type { FileConfig } from '../../core/mock/file-config.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import type { Imports } from './imports.ts'
import type { WorkerProject } from './project.ts'
import { toKey } from './to-source.ts'

/**
 * The entry of a worker while it is written: the project, the imports so far, and what is left out. An entry
 * is the module that a bundler starts with, here `mock-worker.js`.
 */
export interface Entry {
  project: WorkerProject
  imports: Imports
  /** The parts of the project that the worker does not have, each with the reason. */
  omitted: string[]
  /** The source text of an option of the configuration. */
  valueOf(name: keyof FileConfig): string
}

/** The result of {@link importData}: source texts for the data of a file. */
export interface ImportedData {
  /** The name of the import. */
  name: string
  /** An expression for the data, without the keys that a server ignores. */
  data: string
  /** Whether there are no such keys. */
  isWhole: boolean
}

/**
 * Adds an import of a file with data to the entry; undefined for a file that a bundler cannot import, which
 * the worker omits.
 */
export function importData(
  { project, imports, omitted }: Entry,
  path: string,
  words: string,
): ImportedData | undefined {
  const form = project.dataImports.get(path)
  if (!form) {
    const label = toLabel(path, project.folder)
    omitted.push(`${label} (a worker imports .json, and modules that export data)`)
    return undefined
  }
  const { isNamed, ignored } = form
  const name = imports.file(path, words, isNamed)
  const isWhole = ignored.length === 0
  if (isWhole) return { name, data: isNamed ? `{ ...${name} }` : name, isWhole }
  const pattern = ignored.map((key, at) => (toKey(key) === key ? key : `${toKey(key)}: _${at}`))
  return { name, data: `(({ ${pattern.join(', ')}, ...data }) => data)(${name})`, isWhole }
}

import { readFile } from 'node:fs/promises'
import { isRecord, type Json } from '../../core/json/json.ts'
import type { IdsOf } from '../../core/fixtures/fixture-data.ts'
import type { Source } from '../../core/fixtures/source.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { digest } from '../read/file-content.ts'
import { keysTo, type LoadedFile, nameAt } from '../read/read-file.ts'
import { isIgnoredKey } from '../check/shape.ts'
import { createFixtureText, type FixtureText, type PatchOptions } from './patch-text.ts'

/**
 * Returns the JSON value that a fixture file has to contain for these resources: for a database file an object
 * with one key for each resource, for any other file the value of its only resource.
 */
export function toFileValue(file: FixtureFile, sources: readonly Source[]): Json {
  if (file.kind !== 'database') return sources[0]?.value ?? null
  return Object.fromEntries(sources.map((source) => [keysTo(file, source)[0], source.value]))
}

/**
 * Reads the text of a loaded file for updates of its resources; undefined if the file has changed since it was
 * loaded.
 * @throws the error of the file system
 */
export async function readFixtureText(
  file: LoadedFile,
  idsOf: IdsOf,
): Promise<FixtureText | undefined> {
  const bytes = await readFile(file.path)
  if (digest(bytes) !== file.content.hash()) return undefined
  const value = toFileValue(file, file.sources)
  return createFixtureText(bytes.toString(), value, toPatchOptions(file, idsOf))
}

/** The rules for matching new data with the text of a file. */
function toPatchOptions(file: FixtureFile, idsOf: IdsOf): PatchOptions {
  const isDatabase = file.kind === 'database'
  return {
    isKept: (key) => (isDatabase ? isIgnoredKey(key) : key === '$schema'),
    idsOf(path, list) {
      const name = path.length > 1 ? undefined : nameAt(file, path[0])
      if (name === undefined || !list.every(isRecord)) return undefined
      return idsOf(name, list)
    },
  }
}

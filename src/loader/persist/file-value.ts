import { isRecord, type Json } from '../../core/json/json.ts'
import type { IdsOf } from '../../core/fixtures/fixture-data.ts'
import { type Source, toData } from '../../core/fixtures/source.ts'
import type { FixtureFile } from '../discover/discover.ts'
import type { LoadedFile } from '../read/read-file.ts'
import { isIgnoredKey } from '../check/shape.ts'
import { createFixtureText, type FixtureText, type PatchOptions } from './patch-text.ts'

/**
 * Returns the JSON value that a fixture file has to contain for these resources: for a database file an
 * object with one key for each resource, else the value of the file's only resource.
 */
export function toFileValue(file: FixtureFile, sources: readonly Source[]): Json {
  if (file.kind !== 'database') return sources[0]?.value ?? null
  return toData(sources)
}

/** The text of a file, for updates of its resources. */
export function toFixtureText(file: LoadedFile, text: string, idsOf: IdsOf): FixtureText {
  return createFixtureText(text, toFileValue(file, file.sources), toPatchOptions(file, idsOf))
}

/** The rules for matching new data with the text of a file. */
function toPatchOptions(file: FixtureFile, idsOf: IdsOf): PatchOptions {
  const isDatabase = file.kind === 'database'
  return {
    isKept: (key) => (isDatabase ? isIgnoredKey(key) : key === '$schema'),
    idsOf(path, list) {
      const name = isDatabase ? path[0] : file.name
      const isResource = path.length === (isDatabase ? 1 : 0)
      if (!isResource || name === undefined || !list.every(isRecord)) return undefined
      return idsOf(name, list)
    },
  }
}

import { realpathSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isRecord, type Json } from '../../core/json/json.ts'
import type { IdsOf } from '../../core/fixtures/fixture-data.ts'
import type { Source } from '../../core/fixtures/source.ts'
import { retryOnWindows, writeNext } from '../atomic-write.ts'
import type { FixtureFile } from '../discover/discover.ts'

import { isIgnoredKey } from '../read/database-file.ts'
import { isProgram, keysTo, type LoadedFile, nameAt } from '../read/read-file.ts'
import { digest, statUnchanged } from '../read/stable-read.ts'
import { createFixtureText, type FixtureText, type PatchOptions } from './patch-text.ts'
import { removeIfEmpty, statePathsOf } from './state-folder.ts'

/**
 * Replaces a fixture file atomically by a file with these values of its resources; the file keeps its layout. Returns
 * false, and leaves the file alone, if another program has changed the file since it was loaded. `toSources` is
 * called when the text of the file has been read; `commit` calls the synchronous function that checks the file and
 * replaces it.
 * @throws the error of the file system, or one with the code `FILE_READ_ONLY`
 */
export async function replaceFile(
  file: LoadedFile,
  toSources: () => readonly Source[],
  idsOf: IdsOf,
  commit: Commit = (replace) => replace(),
): Promise<boolean> {
  const stats = statUnchanged(file)
  const text = stats && (await readFixtureText(file, idsOf))
  if (!text) return false
  if (!text.update(toFileValue(file, toSources()))) {
    return commit(() => statUnchanged(file) !== undefined, file.hash)
  }
  const bytes = Buffer.from([...text.pieces()].join(''))
  const real = realpathSync(file.path)
  const next = await writeNext(real, bytes, stats)
  const replace = (): boolean => {
    // This function is synchronous, so no code runs between the check and the replacement.
    if (!statUnchanged(file)) return false
    next.rename()
    return true
  }
  const isReplaced = await retryOnWindows(() => commit(replace, digest(bytes)))
  if (!isReplaced) await next.discard()
  await removeIfEmpty(statePathsOf(real).folder)
  return isReplaced
}

/** Calls a function that replaces a file, whose next content has the digest `hash`, and returns its result. */
export type Commit = (replace: () => boolean, hash: string) => boolean | Promise<boolean>

/** Whether `--persist` can write a file: it is a fixture that is neither a module nor part of a scenario. */
export function isWritable(file: FixtureFile): boolean {
  return file.kind !== 'schema' && file.scenario === undefined && !isProgram(file)
}

/** The JSON of a fixture file: of a database file the resources by key, of any other its only resource. */
function toFileValue(file: FixtureFile, sources: readonly Source[]): Json {
  if (file.kind !== 'database') return sources[0]?.value ?? null
  return Object.fromEntries(sources.map((source) => [keysTo(file, source)[0], source.value]))
}

/** Reads the text of a loaded file for updates; undefined if the file has changed since it was loaded. */
async function readFixtureText(file: LoadedFile, idsOf: IdsOf): Promise<FixtureText | undefined> {
  const bytes = await readFile(file.path)
  if (digest(bytes) !== file.hash) return undefined
  const value = toFileValue(file, file.sources)
  return createFixtureText(bytes.toString(), value, toPatchOptions(file, idsOf))
}

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

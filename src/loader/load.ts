import type { IdOption } from '../core/fixtures/id-field.ts'
import type { Diagnostic } from '../core/fixtures/source.ts'
import type { RelationOptions } from '../core/fixtures/relation-options.ts'
import { assemble, type Assembled } from './assemble.ts'
import { discover, type Discovery, type FixtureFile } from './discover/discover.ts'
import { createShelf } from './read/file-content.ts'
import { readFixture, type LoadedFile } from './read/read-file.ts'
import { findDangling } from './check/dangling-keys.ts'

/** How fixtures are read. */
export interface LoadOptions {
  /** The field that holds a record's id. @default 'id' */
  id?: IdOption | undefined
  /** Relations that no key's name gives away. */
  relations?: RelationOptions | undefined
  /** The folder that relative paths start from. @default process.cwd() */
  cwd?: string | undefined
}

/** Everything that a set of paths holds, and everything that is wrong with it. */
export interface LoadResult extends Assembled {
  /** Every problem of every file. An error among them means that something could not be served. */
  diagnostics: Diagnostic[]
  /** The files by absolute path. */
  files: ReadonlyMap<string, LoadedFile>
  /** Labels of files in folders that look like fixtures, and are of a kind that is not read. */
  passedOver: readonly string[]
}

/**
 * Loads fixtures from folders and from files named by hand. It never throws for what stands in them:
 * every problem is a diagnostic, and what is sound is there.
 */
export async function loadFixtures(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadResult> {
  const found = await discover(paths, options.cwd ?? process.cwd())
  const shelf = createShelf()
  const loaded = await readAll(found.files, async (file) => {
    const read = await readFixture(file, options.id)
    shelf.put(file.path, read.imprint)
    return read
  })
  const result = await combine(found, loaded)
  const dangling = await findDangling(loaded, options.id, options.relations)
  return { ...result, diagnostics: [...result.diagnostics, ...dangling] }
}

/** Puts together what was found and what was read; what `before` served goes on being served. */
export async function combine(
  { diagnostics, passedOver }: Discovery,
  loaded: readonly LoadedFile[],
  before?: LoadResult,
): Promise<LoadResult> {
  const files = new Map(loaded.map((file) => [file.path, file]))
  const assembled = await assemble(files.values(), before)
  const ofFiles = loaded.flatMap((file) => file.diagnostics)
  return {
    ...assembled,
    diagnostics: [...diagnostics, ...ofFiles, ...assembled.diagnostics],
    files,
    passedOver,
  }
}

/** Reads files a few at a time, so that a large folder does not run out of file handles. */
export async function readAll(
  files: readonly FixtureFile[],
  read: (file: FixtureFile) => Promise<LoadedFile>,
): Promise<LoadedFile[]> {
  const loaded: LoadedFile[] = []
  for (let i = 0; i < files.length; i += AT_ONCE) {
    loaded.push(...(await Promise.all(files.slice(i, i + AT_ONCE).map(read))))
  }
  return loaded
}

const AT_ONCE = 32

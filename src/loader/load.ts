import type { Diagnostic } from '../core/fixtures/source.ts'
import { assemble, type Assembled } from './assemble.ts'
import { discover, type Discovery, type FixtureFile } from './discover/discover.ts'
import { createContentCache } from './read/file-content.ts'
import { createYield } from './read/yield.ts'
import { readFixture, type LoadedFile } from './read/read-file.ts'
import { findDanglingKeys, type KeyOptions } from './check/dangling-keys.ts'

/**
 * Finds, reads and checks the fixtures in folders and database files. Problems of files are returned as
 * diagnostics, together with the resources that have no error.
 */
export async function loadFixtures(
  paths: readonly string[],
  options: LoadOptions = {},
): Promise<LoadResult> {
  const found = await discover(paths, options.cwd ?? process.cwd())
  const cache = createContentCache()
  const loaded = await readAll(found.files, async (file) => {
    const read = await readFixture(file, options.id)
    cache.put(file.path, read.content)
    return read
  })
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

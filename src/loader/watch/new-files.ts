import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { unreadable } from '../read/file-content.ts'
import type { LoadedFile } from '../read/read-file.ts'

/**
 * Prepares each file that a scanner finds once, before its first read. `--persist` uses this to apply the
 * journal that an earlier run has left for the file.
 */
export interface NewFiles {
  /** Sets the function that prepares files. Until then, files need no preparation. */
  prepareWith(prepare: PrepareFile): void
  /** Whether a file needs no preparation. */
  isPrepared(path: string): boolean
  /** Prepares a file unless that was done. Returns the errors that prevent a read. */
  prepare(file: FixtureFile): Promise<Diagnostic[]>
  /** Returns the warnings since the last call. */
  takeWarnings(): Diagnostic[]
  /** Forgets the files that are gone, which have to be prepared again when they are back. */
  forget(files: ReadonlyMap<string, unknown>): void
}

/** Creates the set of prepared files. Files that were loaded without an error need no preparation. */
export function createNewFiles(loaded: Iterable<LoadedFile>): NewFiles {
  const prepared = new Set<string>()
  for (const { path, diagnostics } of loaded) if (!diagnostics.some(isError)) prepared.add(path)
  let prepareFile: PrepareFile | undefined
  let warnings: Diagnostic[] = []
  const isPrepared = (path: string): boolean => !prepareFile || prepared.has(path)
  return {
    isPrepared,
    prepareWith(prepare) {
      prepareFile = prepare
    },
    async prepare(file) {
      if (!prepareFile || isPrepared(file.path)) return []
      const { isDone, diagnostics } = await prepareFile(file)
      if (isDone) prepared.add(file.path)
      warnings.push(...diagnostics.filter((one) => !isError(one)))
      return diagnostics.filter(isError)
    },
    takeWarnings() {
      const taken = warnings
      warnings = []
      return taken
    },
    forget(files) {
      for (const path of prepared) if (!files.has(path)) prepared.delete(path)
    },
  }
}

/** Prepares a file before it is read. */
export type PrepareFile = (file: FixtureFile) => Promise<PreparedFile>

/** The result of preparing a file. */
export interface PreparedFile {
  /** Whether the file need not be prepared again. */
  isDone: boolean
  diagnostics: Diagnostic[]
}

/** A file without resources, because it could not be prepared. */
export function toUnprepared(file: FixtureFile, errors: readonly Diagnostic[]): LoadedFile {
  const diagnostics = errors.map((error): Diagnostic => ({ ...error, file: file.label }))
  return { ...file, stamp: undefined, content: unreadable, sources: [], drafts: [], diagnostics }
}

import { readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { discover, toLabel, type FixtureFile, exists } from '../discover/discover.ts'
import { isModule } from '../read/read-file.ts'
import { toUnreadableProblem } from './persist-problem.ts'
import { isMissing, statePathsOf, type StatePaths } from './state-folder.ts'

/**
 * Finds the state files that a killed process may have left for the fixture files at some paths: journals
 * (writes that are not in the fixture file yet) and incomplete files. Also finds the journals of fixture files
 * that have been removed. Ignores the journals of existing files that are not served.
 */
export async function findStates(
  paths: readonly string[],
  cwd: string = process.cwd(),
): Promise<FoundStates> {
  const { files } = await discover(paths, cwd)
  const found = new Map<string, FoundState>()
  for (const file of files.filter(isWritable)) {
    const state = await stateOf(file)
    const same = found.get(state.journal)
    if (same && same.file?.path !== file.path) same.duplicate = file
    else found.set(state.journal, { file, state, hasLeftovers: false })
  }
  const problems: Diagnostic[] = []
  for (const folder of new Set([...found.values()].map(({ state }) => state.folder))) {
    const names = await readdir(folder).catch((error: unknown) => {
      if (!isMissing(error)) problems.push(toUnreadableProblem(toLabel(folder, cwd), error))
      return []
    })
    for (const name of names) {
      const base = LEFTOVER.exec(name)?.[1]
      if (base === undefined) continue
      const path = join(dirname(folder), base)
      const state = statePathsOf(path)
      const known = found.get(state.journal)
      if (known) known.hasLeftovers = true
      else if (name.endsWith('.journal') && !(await exists(path))) {
        found.set(state.journal, { file: undefined, state, hasLeftovers: true })
      }
    }
  }
  return { found: [...found.values()], problems }
}

/** The state files of a fixture file. */
export interface FoundState {
  /** The fixture file; undefined if the file has been removed. */
  file: FixtureFile | undefined
  /** The same file under another path. */
  duplicate?: FixtureFile
  state: StatePaths
  /** Whether the state folder has a file of this state. */
  hasLeftovers: boolean
}

/** The result of {@link findStates}: the states, and the problems of state folders that cannot be read. */
export interface FoundStates {
  found: FoundState[]
  problems: Diagnostic[]
}

/** Whether `--persist` can write a file: it is a fixture that is neither a module nor part of a scenario. */
export function isWritable(file: FixtureFile): boolean {
  return file.kind !== 'schema' && file.scenario === undefined && !isModule(file)
}

/** The state paths of a fixture file, or of the target of a link. */
export async function stateOf(file: FixtureFile): Promise<StatePaths> {
  return statePathsOf(await realpath(file.path).catch(() => file.path))
}

/** The name of a journal, or of an incomplete file. */
const LEFTOVER = /^(.+)\.(?:journal|journal\.next|tmp)$/

import type { Conflict } from '../core/fixtures/fixtures.ts'
import type { CoreMock } from '../core/mock/core-mock.ts'
import { reloadAll } from '../core/store/reload/reload.ts'
import type { FixtureChange } from '../loader/watch/change.ts'
import type { LoadResult } from '../loader/load.ts'
import { createScanner, type Scanner } from '../loader/watch/scanner.ts'
import type { ResolvedConfig } from './config/resolve-config.ts'
import { toData, toReload } from './to-data.ts'

/** Lets a mock take over what changes in the files that it was loaded from, whenever somebody looks. */
export interface Follower {
  scanner: Scanner
  /** Hears of every change, after the mock has taken it over. Returns the end of it. */
  hear(listener: FollowListener): () => void
}

/** Hears of a change, and of what requests lose by it. */
export type FollowListener = (change: FixtureChange, conflicts: Conflict[]) => void

/** Makes the follower of a mock; it looks only when it is told to. Where nobody else hears, `fallback` does. */
export function createFollower(
  mock: Pick<CoreMock, 'store'>,
  files: LoadResult,
  { fixtures, cwd, id }: Pick<ResolvedConfig, 'fixtures' | 'cwd' | 'id'>,
  fallback: FollowListener,
): Follower {
  const listeners = new Set<FollowListener>()
  const take = (change: FixtureChange): void => {
    const conflicts = reloadAll(mock.store, toReload(toData(change), change.removed))
    for (const listener of listeners.size > 0 ? listeners : [fallback]) listener(change, conflicts)
  }
  return {
    scanner: createScanner(fixtures, files, take, { cwd, id }),
    hear(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

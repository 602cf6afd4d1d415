import { define, type Json } from '../../core/json/json.ts'
import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import type { FixtureChange } from '../../loader/watch/change.ts'
import type { LoadResult } from '../../loader/load.ts'
import { toData } from '../../load/to-data.ts'

/** What has changed since a revision, as it goes to a page. */
export interface FeedChange {
  /** Counts up with every change. */
  revision: number
  changed: Record<string, Json>
  removed: string[]
}

/** How the fixtures are, as it goes to a page. */
export interface FeedStatus {
  /** Whether one has an error, so that what it last held is served. */
  isBroken: boolean
}

/** The fixtures as they stand, and what has happened to them. */
export interface Feed {
  readonly data: Record<string, Json>
  readonly revision: number
  /** The errors there are now. */
  readonly errors: readonly Diagnostic[]
  /** Takes over a change on the disk. */
  update(change: FixtureChange): FeedChange
  /** What has happened after that revision. */
  since(revision: number): FeedChange
}

/** Creates a feed of what was loaded. */
export function createFeed(loaded: LoadResult): Feed {
  const data = toData(loaded)
  /** The revision in which each resource last changed or went. */
  const revisions = new Map<string, number>()
  let errors = loaded.diagnostics.filter(isError)
  let revision = 0

  function since(start: number): FeedChange {
    const names = [...revisions.keys()].filter((name) => (revisions.get(name) ?? 0) > start)
    const isThere = (name: string): boolean => Object.hasOwn(data, name)
    return {
      revision,
      changed: Object.fromEntries(names.filter(isThere).map((name) => [name, data[name] ?? null])),
      removed: names.filter((name) => !isThere(name)),
    }
  }

  return {
    data,
    get revision() {
      return revision
    },
    get errors() {
      return errors
    },
    update({ sources, removed, current }) {
      errors = current.diagnostics.filter(isError)
      revision++
      for (const { name, value } of sources) define(data, name, value)
      for (const name of removed) delete data[name]
      for (const name of [...sources.map((source) => source.name), ...removed]) {
        revisions.set(name, revision)
      }
      return since(revision - 1)
    },
    since,
  }
}

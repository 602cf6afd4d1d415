import { type Diagnostic, isError } from '../../core/fixtures/source.ts'
import type { Json } from '../../core/json/json.ts'
import type { FixtureChange } from '../../loader/watch/change.ts'
import type { FileSource } from '../../loader/watch/file-source.ts'

/** Numbers the changes of the fixture files, so that a page gets all since the revision that it has loaded. */
export function createFeed({ data, scanner }: FileSource): Feed {
  /** The revision in which each resource was last changed or removed. */
  const revisions = new Map<string, number>()
  let revision = 0

  function since(start: number): FeedChange {
    const names = [...revisions.keys()].filter((name) => (revisions.get(name) ?? 0) > start)
    const isPresent = (name: string): boolean => Object.hasOwn(data, name)
    return {
      revision,
      changed: Object.fromEntries(
        names.filter(isPresent).map((name) => [name, data[name] ?? null]),
      ),
      removed: names.filter((name) => !isPresent(name)),
    }
  }

  return {
    data,
    get revision() {
      return revision
    },
    get schemas() {
      return scanner.current().schemas
    },
    get errors() {
      return scanner.current().diagnostics.filter(isError)
    },
    record({ sources, removed }) {
      revision++
      for (const name of [...sources.map((source) => source.name), ...removed]) {
        revisions.set(name, revision)
      }
      return since(revision - 1)
    },
    since,
  }
}

/** The current fixtures, and the revision of each change. */
export interface Feed {
  readonly data: Readonly<Record<string, Json>>
  /** The JSON Schemas of files by resource. */
  readonly schemas: Record<string, Json>
  readonly revision: number
  /** The errors that the fixtures have now. */
  readonly errors: readonly Diagnostic[]
  /** Records a change of the source under the next revision. */
  record(change: FixtureChange): FeedChange
  /** Returns the changes after a revision. */
  since(revision: number): FeedChange
}

/** The message that brings a page up to date: all resources that have changed since a revision. */
export interface FeedChange {
  /** Increases by 1 with every change. */
  revision: number
  changed: Record<string, Json>
  removed: string[]
}

/** The state of the fixtures, as it is sent to a page. */
export interface FeedStatus {
  /** Whether a fixture has an error, so that its last good data is served. */
  isBroken: boolean
}

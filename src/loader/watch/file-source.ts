import type { FileFolder } from '../../core/fixtures/file-folder.ts'
import type { Conflict, FixtureListener, FixtureSource } from '../../core/fixtures/fixtures.ts'
import { toData } from '../../core/fixtures/source.ts'
import { define, type Json } from '../../core/json/json.ts'
import type { LoadOptions, LoadResult } from '../load.ts'
import type { FixtureChange } from './change.ts'
import { createFileFolder } from './file-folder.ts'
import { createScanner, type Scanner } from './scanner.ts'

/** A source of fixtures from files, which publishes the changed resources that its scanner finds on the disk. */
export interface FileSource extends FixtureSource<Record<string, Json>> {
  readonly scanner: Scanner
  readonly files: FileFolder
  /**
   * Notifies a listener of each change, after all subscribers have taken the change over. Returns a
   * function that removes the listener.
   */
  onChange(listener: FileListener): () => void
  /** Publishes all resources as changed, for a mock that was created from other data than the files hold. */
  publishAll(): void
}

/** Is notified of a change in the files, and of the conflicts that the subscribers have reported. */
export type FileListener = (change: FixtureChange, conflicts: Conflict[]) => void

/** The options of {@link createFileSource}. */
export interface FileSourceOptions extends LoadOptions {
  /** Is notified of changes while there is no other listener. */
  defaultListener?: FileListener
}

/** Creates a source from loaded files. The source reads the disk only when its scanner is called. */
export function createFileSource(
  paths: readonly string[],
  loaded: LoadResult,
  { defaultListener, ...options }: FileSourceOptions,
): FileSource {
  const data = toData(loaded.sources)
  const subscribers = new Set<FixtureListener>()
  const listeners = new Set<FileListener>()

  function publish(change: FixtureChange): void {
    const { sources, removed } = change
    for (const { name, value } of sources) define(data, name, value)
    for (const name of removed) delete data[name]
    const gone = removed.map((name) => [name, undefined] as const)
    const changed = { ...toData(sources), ...Object.fromEntries(gone) }
    const conflicts: Conflict[] = []
    for (const subscriber of subscribers) {
      subscriber(changed, (reported) => {
        for (const conflict of reported) conflicts.push(conflict)
      })
    }
    if (listeners.size === 0) defaultListener?.(change, conflicts)
    for (const listener of listeners) listener(change, conflicts)
  }

  const scanner = createScanner(paths, loaded, publish, options)
  return {
    data,
    scanner,
    files: createFileFolder(scanner),
    subscribe: (listener) => add(subscribers, listener),
    onChange: (listener) => add(listeners, listener),
    publishAll() {
      const current = scanner.current()
      const { sources, diagnostics } = current
      publish({ sources, removed: [], reported: diagnostics, resolved: [], current })
    },
  }
}

function add<T>(set: Set<T>, item: T): () => void {
  set.add(item)
  return () => void set.delete(item)
}

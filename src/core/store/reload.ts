import { isSame } from '../json.ts'
import { idOf } from './ids.ts'
import { mergeOne, mergeRecords } from './merge.ts'
import type { Resource } from './resource.ts'

/** What a reload leads to: the resource from then on, and the ids where the fixture won over a request. */
export interface Reloaded {
  resource: Resource
  conflicts: string[]
}

/** Merges a resource three ways: as the file said last time, as it says now, and as requests left it. */
export function mergeResource(
  base: Resource | undefined,
  theirs: Resource,
  ours: Resource | undefined,
): Reloaded {
  if (base?.kind === 'collection' && theirs.kind === 'collection' && ours?.kind === 'collection') {
    const sides = { base: base.records(), theirs: theirs.records(), ours: ours.records() }
    const { records, conflicts } = mergeRecords(sides, theirs.idField)
    return { resource: ours.withRecords(records), conflicts }
  }
  if (base?.kind === 'singleton' && theirs.kind === 'singleton' && ours?.kind === 'singleton') {
    const sides = { base: base.get(), theirs: theirs.get(), ours: ours.get() }
    const { value, isConflict } = mergeOne(sides)
    if (value !== sides.ours) ours.replace(value)
    return { resource: ours, conflicts: isConflict ? [''] : [] }
  }
  // What has become another kind of resource, or a document, is the file's.
  return { resource: theirs.fork(), conflicts: findChanged(base, ours) }
}

/** The ids that requests have changed since the file was read; an empty one for a singleton. */
export function findChanged(base: Resource | undefined, ours: Resource | undefined): string[] {
  if (base?.kind === 'singleton' && ours?.kind === 'singleton') {
    return isSame(base.get(), ours.get()) ? [] : ['']
  }
  if (base?.kind !== 'collection' || ours?.kind !== 'collection') return []
  const gone = base.records().flatMap((record) => {
    const id = idOf(record, base.idField)
    return id === undefined || ours.get(id) ? [] : [id]
  })
  const changed = ours.records().flatMap((record) => {
    const id = idOf(record, ours.idField) ?? ''
    return isSame(base.get(id), record) ? [] : [id]
  })
  return [...changed, ...gone]
}

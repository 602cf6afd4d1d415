import { isSame } from '../json.ts'
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
  if (base?.kind !== 'singleton' || theirs.kind !== 'singleton' || ours?.kind !== 'singleton') {
    return { resource: theirs.fork(), conflicts: [] }
  }
  const requested = !isSame(base.get(), ours.get())
  if (requested && isSame(base.get(), theirs.get())) return { resource: ours, conflicts: [] }
  return { resource: theirs.fork(), conflicts: requested ? [''] : [] }
}

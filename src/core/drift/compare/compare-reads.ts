import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Difference } from '../difference.ts'
import { keyOf } from '../observe/to-reads.ts'
import type { Read, SideResource } from '../side.ts'

/**
 * Compares the responses of both sides. A difference that several resources share, such as a new envelope, is one
 * difference.
 */
export function compareReads(
  pairs: readonly (readonly [SideResource, SideResource])[],
  isIgnored: (path: string) => boolean,
): Difference[] {
  const groups = new Map<string, Difference[]>()
  for (const [own, other] of pairs) {
    const known = new Map(own.reads.map((read) => [keyOf(read), read]))
    for (const read of other.reads) {
      const before = known.get(keyOf(read))
      if (!before || !isOther(before, read) || isIgnored(read.path)) continue
      const { kind, path, subject = '', seen } = read
      const isInside = before.value === read.value
      const toText = (one: Read): string => (isInside ? one.detail : one.value) ?? one.value
      const [here, mine] = [toText(before), toText(read)]
      const found: Difference = { kind, resource: own.name, path, here, there: mine, seen }
      const isMember = path.endsWith('/:id')
      const shared = kind === 'page size' ? read.value : [here, mine]
      const group = JSON.stringify([kind, subject, isMember, shared])
      addToMultimap(groups, group, found)
    }
  }
  return [...groups.values()].map(unite)
}

function unite(group: readonly Difference[]): Difference {
  const [first, ...others] = group
  if (!first) throw new Error('A group has at least one difference.')
  if (others.length === 0) return first
  const { resource: _resource, path, ...rest } = first
  const isMember = path.endsWith('/:id')
  const seen = `${first.seen} and ${others.length} more`
  return { ...rest, path: isMember ? 'GET /*/:id' : 'GET /*', seen }
}

function isOther(here: Read, there: Read): boolean {
  if (here.value === there.value) {
    const areKnown = here.detail !== undefined && there.detail !== undefined
    return areKnown && here.detail !== there.detail
  }
  if (here.kind !== 'page size') return true
  const [own, other] = [here, there].map(({ value }) => ({
    isWhole: value.startsWith('all'),
    count: Number(/\d+/.exec(value)?.[0]),
  }))
  if (!own || !other) return false
  if (own.isWhole && other.isWhole) return false
  if (own.isWhole) return own.count > other.count
  return other.isWhole ? other.count > own.count : own.count !== other.count
}

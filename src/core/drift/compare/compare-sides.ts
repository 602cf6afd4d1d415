import type { Difference } from '../difference.ts'
import type { Side, Read } from '../side.ts'
import { compareFacts } from './compare-facts.ts'
import { mergeConventions } from './renames.ts'
import type { Pair } from './to-difference.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { keyOf } from '../observe/to-reads.ts'

/** Compares the fixtures with the other side by resource, without the ignored paths. */
export function compareSides(
  here: Side,
  there: Side,
  isIgnored: (path: string) => boolean = () => false,
): Comparison {
  const pairs: Pair[] = []
  const skipped: Comparison['skipped'] = []
  for (const [resource, own] of here.resources) {
    const other = there.resources.get(resource)
    const failure = there.failures.get(resource)
    if (other) pairs.push({ here: own, there: other })
    else if (failure) {
      skipped.push({ resource, reason: failure.reason, isUnseen: failure.isUnseen === true })
    }
  }
  return {
    differences: [
      ...compareReads(pairs, isIgnored),
      ...pairs.flatMap((pair) =>
        mergeConventions(compareFacts(pair).filter(({ path }) => !isIgnored(path))),
      ),
    ],
    compared: pairs.map(({ here: { name, records: here }, there: { records: there } }) => ({
      resource: name,
      ...(here !== undefined && { here }),
      ...(there !== undefined && { there }),
    })),
    skipped,
  }
}

/** The result of {@link compareSides}, as plain data. */
export interface Comparison {
  differences: Difference[]
  compared: ComparedResource[]
  skipped: SkippedResource[]
}

/** A compared resource with the number of its records on each side; undefined if a schema describes them. */
export interface ComparedResource {
  resource: string
  here?: number
  there?: number
}

/** A resource of the fixtures that was not compared. */
export interface SkippedResource {
  resource: string
  reason: string
  isUnseen: boolean
}

/** Compares statuses, envelopes and page sizes; a difference of several resources is one. */
function compareReads(pairs: readonly Pair[], isIgnored: (path: string) => boolean): Difference[] {
  const groups = new Map<string, Difference[]>()
  for (const pair of pairs) {
    const known = new Map(pair.here.reads.map((read) => [keyOf(read), read]))
    for (const read of pair.there.reads) {
      const before = known.get(keyOf(read))
      if (!before || !isOther(before, read) || isIgnored(read.path)) continue
      const { kind, path, subject = '', seen } = read
      const hasOtherDetail = before.value === read.value
      const toText = ({ value, detail }: Read): string => (hasOtherDetail && detail) || value
      const [here, there] = [toText(before), toText(read)]
      const shared = kind === 'page size' ? read.value : [here, there]
      const group = JSON.stringify([kind, subject, isMember(path), shared])
      addToMultimap(groups, group, { kind, resource: pair.here.name, path, here, there, seen })
    }
  }
  return [...groups.values()].map(unite)
}

function unite(group: readonly Difference[]): Difference {
  const [first, ...others] = group
  if (!first) throw new Error('A group has at least one difference.')
  if (others.length === 0) return first
  const { resource: _resource, path, ...rest } = first
  const seen = `${first.seen} and ${others.length} more`
  return { ...rest, path: isMember(path) ? 'GET /*/:id' : 'GET /*', seen }
}

function isMember(path: string): boolean {
  return path.endsWith('/:id')
}

function isOther(here: Read, there: Read): boolean {
  if (here.value === there.value) {
    const areKnown = here.detail !== undefined && there.detail !== undefined
    return areKnown && here.detail !== there.detail
  }
  return here.kind !== 'page size' || isOtherSize(here.value, there.value)
}

/** A response with all records only shows that a page has room for these records. */
function isOtherSize(here: string, there: string): boolean {
  const [own, other] = [countIn(here), countIn(there)]
  if (!here.startsWith('all')) return there.startsWith('all') ? other > own : own !== other
  return !there.startsWith('all') && own > other
}

function countIn(text: string): number {
  return Number(/\d+/.exec(text)?.[0])
}

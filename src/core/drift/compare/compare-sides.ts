import type { Difference } from '../difference.ts'
import type { Side } from '../side.ts'
import { compareFacts } from './compare-facts.ts'
import { compareReads } from './compare-reads.ts'
import { mergeConventions } from './renames.ts'
import type { Pair } from './to-difference.ts'

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

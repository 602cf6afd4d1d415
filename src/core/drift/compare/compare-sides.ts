import type { Json } from '../../json/json.ts'
import { everyAt } from '../../shape/place.ts'
import { type Difference, toPath } from '../difference.ts'
import type { Side, SideResource } from '../side.ts'
import { compareFacts } from './compare-facts.ts'
import { compareReads } from './compare-reads.ts'
import type { Finding } from './finding.ts'
import { mergeConventions } from './merge-conventions.ts'

/**
 * Compares the fixtures with the other side (a live API, a document or a recording), resource by resource.
 * Leaves out the paths that are ignored.
 */
export function compareSides(
  here: Side,
  there: Side,
  isIgnored: (path: string) => boolean = () => false,
): Comparison {
  const pairs: [SideResource, SideResource][] = []
  const skipped: Comparison['skipped'] = []
  for (const [resource, own] of here.resources) {
    const other = there.resources.get(resource)
    const failure = there.failures.get(resource)
    if (other) pairs.push([own, other])
    else if (failure) {
      skipped.push({ resource, reason: failure.reason, isUnseen: failure.isUnseen === true })
    }
  }
  return {
    differences: [
      ...compareReads(pairs, isIgnored),
      ...pairs.flatMap(([own, other]) =>
        mergeConventions(
          compareFacts(own.facts, other.facts).filter(
            ({ place }) => !isIgnored(toPath(own.name, place)),
          ),
        ).map((finding) => toDifference(finding, own, other)),
      ),
    ],
    compared: pairs.map(([{ name, records: here }, { records: there }]) => ({
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
  /** The resources that were compared. */
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
  /** Whether the other side does not show the resource (a recording may lack it), and has not refused it. */
  isUnseen: boolean
}

function toDifference(finding: Finding, own: SideResource, other: SideResource): Difference {
  const { kind, place, here, there, example, renames } = finding
  const side = example.side === 'here' ? own : other
  const found = findExample(side, example)
  return {
    kind,
    resource: own.name,
    path: toPath(own.name, place),
    place,
    here,
    there,
    ...(found.value !== undefined && { example: found.value }),
    // Of a field that the other side lacks, the example is from the fixtures.
    seen: example.side === 'there' ? found.seen : seenIn(other),
    ...(renames && { renames }),
  }
}

/** Finds the first value that shows a difference, and where it was seen. */
function findExample(
  side: SideResource,
  { place, matches }: Finding['example'],
): { value?: Json; seen: string } {
  for (const { value, seen } of side.sightings) {
    let found: Json | undefined
    const hasNone = everyAt(value, place, 0, (inner) => {
      if (!matches(inner)) return true
      found = inner as Json
      return false
    })
    if (!hasNone && found !== undefined) return { value: found, seen }
  }
  const declared = declaredAt(side, place)
  return {
    ...(declared?.example !== undefined &&
      matches(declared.example) && { value: declared.example }),
    seen: declared?.seen ?? seenIn(side),
  }
}

function declaredAt(
  { facts }: SideResource,
  place: readonly string[],
): { example?: Json; seen: string } | undefined {
  let at = facts
  let seen = facts?.declaredAt
  for (const step of place) {
    if (step === '[]') at = at?.items?.()
    else if (step === '*') at = at?.values?.()
    else at = at?.fields?.get(step)?.facts()
    seen = at?.declaredAt ?? seen
  }
  if (seen === undefined) return undefined
  return { ...(at?.example !== undefined && { example: at.example }), seen }
}

function seenIn({ sightings, facts, reads }: SideResource): string {
  return facts?.declaredAt ?? sightings[0]?.seen ?? reads[0]?.seen ?? ''
}

import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compareSides, type Comparison } from '../core/drift/compare/compare-sides.ts'
import type { Difference } from '../core/drift/difference.ts'
import { createIgnore } from '../core/drift/ignore.ts'
import type { DriftTarget } from '../core/drift/observe/explore.ts'
import type { Side } from '../core/drift/side.ts'
import type { Json } from '../core/json/json.ts'
import { createRedactor, redacted } from '../core/log/redact.ts'
import { type ComparedMock, readFixtures, targetsOf } from './fixtures-side.ts'
import { notCompared, readSource, type SourceOptions } from './sources/read-source.ts'

/** Compares the fixtures with a live API, a document or a HAR. @throws MockError `NOT_COMPARED` for nothing in common */
export async function findDrift(mock: ComparedMock, options: DriftOptions): Promise<Drift> {
  const { ignore, source, cwd } = options
  const isIgnored = createIgnore(ignore)
  const targets = targetsOf(mock).filter(({ name }) => !isIgnored(name))
  if (targets.length === 0) {
    throw notCompared(source, 'the mock has no resource to compare. Please give fixtures.')
  }
  const { side: there, notes, queryOf } = await readSource(mock, targets, options)
  const toLabel = createLabels(source, cwd)
  const compare = async (): Promise<Drift> => {
    const here = await readFixtures(mock, targets, queryOf)
    const { differences, ...rest } = compareSides(here, there, isIgnored)
    const described = differences.map((one) => ({
      ...withoutSecrets(one),
      seen: toLabel(one.seen),
    }))
    return { differences: described, ...rest, notes, there, again: compare }
  }
  return compare()
}

/** The options of {@link findDrift}. */
export interface DriftOptions extends SourceOptions {
  /** Patterns of paths that are ignored: `*.updatedAt`. */
  ignore: readonly string[]
}

/** The result of {@link findDrift}: the differences between the fixtures of a mock and the other side. */
export interface Drift extends Comparison {
  /** The parts of the source that were not compared, besides whole resources, in words. */
  notes: string[]
  /** The other side, for an update of the fixtures. */
  there: Side
  /** Compares the same other side with the fixtures as they are now. */
  again(): Promise<Drift>
}

/** Returns the resources that have differences. */
export function changedTargets(mock: ComparedMock, { differences }: Drift): DriftTarget[] {
  return targetsOf(mock).filter(({ name }) => differences.some(({ resource }) => resource === name))
}

const redactor = createRedactor()

function withoutSecrets(difference: Difference): Difference {
  const { example, place = [] } = difference
  if (example === undefined) return difference
  const isSecret = place.some((step) => redactor.isSecret(step))
  const shown = isSecret ? redacted : (redactor.redactBody(example) as Json)
  return { ...difference, example: shown }
}

/** Writes the URIs of documents as the user has written the path. */
function createLabels(source: string, cwd: string): (seen: string) => string {
  if (/^https?:/.test(source)) return (seen) => seen
  const uri = pathToFileURL(resolve(cwd, source)).href
  const folder = uri.slice(0, uri.lastIndexOf('/') + 1)
  return (seen) =>
    seen.startsWith(uri) ? source + seen.slice(uri.length) : seen.replace(folder, '')
}

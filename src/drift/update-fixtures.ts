import type { Difference } from '../core/drift/difference.ts'
import { type Updated, updateValues } from '../core/drift/update-values.ts'
import { isRecord, isSame, type Json } from '../core/json/json.ts'
import { idOf } from '../core/learn/recognize/ids.ts'
import { createRedactor } from '../core/log/redact.ts'
import type { DriftTarget } from '../core/drift/observe/explore.ts'
import type { ComparedMock } from './fixtures-side.ts'
import { changedTargets, type Drift } from './find-drift.ts'

/** Takes differences over (`mock drift --update`); files keep their layout. @throws MockError if a write fails */
export async function updateFixtures(mock: UpdatedMock, drift: Drift): Promise<UpdateResult> {
  const result = updateOnce(mock, drift)
  let { done } = result
  // An object that takes the place of a text, for example, can differ in its fields.
  for (let round = 0; done.length > 0 && round < maxRounds; round++) {
    const next = updateOnce(mock, await drift.again())
    done = next.done
    result.done.push(...done)
    result.left = next.left
  }
  await mock.internals.background?.finish()
  return result
}

const maxRounds = 5

function updateOnce(mock: UpdatedMock, drift: Drift): UpdateResult {
  const result: UpdateResult = { done: [], left: [] }
  for (const target of changedTargets(mock, drift)) {
    const own = drift.differences.filter(({ resource }) => resource === target.name)
    const { done, left } = updateResource(mock, target, own, drift)
    result.done.push(...done)
    result.left.push(...left)
  }
  const shared = drift.differences.filter(({ resource }) => resource === undefined)
  const reason = 'the configuration decides. Please change the dialect'
  result.left.push(...shared.map((difference) => ({ difference, reason })))
  return result
}

/** A mock whose fixtures are updated. */
export interface UpdatedMock extends ComparedMock {
  /** Whether the fixtures of a resource are in a file that can be written. */
  isWritable(name: string): boolean
}

/** The result of an update: the differences that were taken over, and the differences that are left. */
export type UpdateResult = Pick<Updated, 'done' | 'left'>

const redactor = createRedactor()

function updateResource(
  { internals: { store }, isWritable }: UpdatedMock,
  { name, kind, idField }: DriftTarget,
  differences: readonly Difference[],
  { there }: Drift,
): Updated {
  const resource = store.resources.get(name)
  if (!resource || resource.kind === 'document' || !isWritable(name)) {
    const reason =
      resource?.kind === 'document'
        ? 'only collections and singletons are updated. Please edit the file'
        : 'a module computes the fixtures. Please edit the module'
    return { values: [], done: [], left: differences.map((difference) => ({ difference, reason })) }
  }
  const isId = ({ place }: Difference): boolean => place?.[0] === idField && kind === 'collection'
  const before: Json[] = resource.kind === 'collection' ? [...resource.records()] : [resource.get()]
  // Secrets of the other side must not get into files.
  const others = (there.resources.get(name)?.sightings ?? []).map(
    ({ value }) => redactor.redactBody(value) as Json,
  )
  const byId = new Map(others.map((value) => [idOf(value, idField), value] as const))
  const updated = updateValues(
    before,
    differences.filter((one) => !isId(one)),
    {
      values: others,
      sameAs: (value) => (kind === 'collection' ? byId.get(idOf(value, idField)) : others[0]),
    },
  )
  for (const [at, value] of updated.values.entries()) {
    const previous = before[at]
    if (!isRecord(value) || !isRecord(previous) || isSame(value, previous)) continue
    if (kind === 'collection') store.replace(name, idOf(previous, idField) ?? '', value)
    else store.replaceSingleton(name, value)
  }
  const reason = 'other records and clients know the ids. Please edit the files'
  const ids = differences.filter(isId).map((difference) => ({ difference, reason }))
  return { ...updated, left: [...updated.left, ...ids] }
}

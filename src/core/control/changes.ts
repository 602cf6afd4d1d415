import { MockError } from '../errors/mock-error.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import { andThen, type MaybePromise } from '../http/contract/messages.ts'
import type { RecordDifference } from '../fixtures/record-difference.ts'
import { discardDifference, findDifferences } from '../store/differences.ts'
import { type Control, type ControlAnswer, type ControlRequest, paramOf } from './contract.ts'
import { sessionOf } from './session-of.ts'

/**
 * `/__mock/changes`: GET lists the differences from the fixtures, or between the snapshots `from` and `to`, POST saves,
 * DELETE discards.
 */
export const changeControls: Record<string, Control> = {
  GET: ({ mock, whole, request }) => {
    const [from, to] = [paramOf(request, 'from'), paramOf(request, 'to')]
    const before = from === undefined ? undefined : mock.snapshotStore(from).resources
    return describe(mock, whole, to === undefined ? mock.store : mock.snapshotStore(to), before)
  },
  POST: save,
  'POST :name': save,
  'POST :name :id': save,
  DELETE: discard,
  'DELETE :name': discard,
  'DELETE :name :id': discard,
}

const maxListed = 1000

function describe(
  mock: MockInternals,
  { saveFixture }: MockInternals,
  store = mock.store,
  before?: typeof store.resources,
): ControlAnswer {
  const changes = findDifferences(store, before)
  const value = {
    total: changes.length,
    canSave: saveFixture !== undefined,
    changes: changes.slice(0, maxListed),
  }
  return { value }
}

function requestedDifferences({ mock, name, rest }: ControlRequest): RecordDifference[] {
  const [, id] = rest
  const found = findDifferences(mock.store).filter(
    (one) => (name === '' || one.collection === name) && (id === undefined || one.id === id),
  )
  if (found.length > 0 || id === undefined) return found
  throw new MockError(
    `Failed to find a change of "${id}" in "${name}": the record is as the fixtures define it. Please see GET /__mock/changes.`,
    { status: 404, code: 'CHANGE_UNKNOWN' },
  )
}

function discard(request: ControlRequest): ControlAnswer {
  const { mock, whole } = request
  for (const difference of requestedDifferences(request)) discardDifference(mock.store, difference)
  return describe(mock, whole)
}

function save(request: ControlRequest): MaybePromise<ControlAnswer> {
  const { mock, whole } = request
  const { saveFixture } = whole
  if (!saveFixture) {
    throw new MockError(
      'Failed to save to the fixtures: this mock has no files. Please load it with loadMock, or start it with "mock server fixtures".',
      { status: 409, code: 'FIXTURES_WITHOUT_FILES' },
    )
  }
  const found = requestedDifferences(request)
  const names = [...new Set(found.map(({ collection }) => collection))]
  const saveNext = (at: number): MaybePromise<ControlAnswer> => {
    const name = names[at]
    // A session takes new fixtures over when a request enters it.
    if (name === undefined) return describe(sessionOf(whole, request.request), whole)
    if (mock.store.overlay.has(name)) throw overlaid(name)
    const own = found.filter(({ collection }) => collection === name)
    const edits = new Map(own.map(({ id, record }) => [id, record] as const))
    return andThen(saveFixture(name, edits), () => saveNext(at + 1))
  }
  return saveNext(0)
}

function overlaid(name: string): MockError {
  return new MockError(
    `Failed to save "${name}" to the fixtures: a scenario replaces its data. Please leave the scenario first.`,
    { status: 409, code: 'FIXTURES_COVERED' },
  )
}

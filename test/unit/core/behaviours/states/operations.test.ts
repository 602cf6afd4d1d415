import { expect, it } from 'vitest'

import {
  createOperations,
  type OperationParts,
  type Operations,
  type StoredOperation,
  type Task,
} from '../../../../../src/core/behaviours/states/operations.ts'
import { createManualClock } from '../../../../../src/index.ts'

/** The operations of a world with enough room; `resume` fails unless it is given. */
function open(parts: Partial<OperationParts> & Pick<OperationParts, 'clock'>): Operations {
  return createOperations({
    known: new Map(),
    limit: 1000,
    onFailure: fail,
    resume: fail,
    ...parts,
  })
}

const origin = 'http://mock.test'
const fail = (error: unknown): never => {
  throw error
}

const ship = (id: string): Task => ({
  path: `/orders/${id}/ship`,
  name: 'orders',
  id,
  action: 'ship',
  fields: {},
})

it('keeps the last 1000 finished operations, and every running one', () => {
  const clock = createManualClock()
  const operations = open({ clock })
  operations.start(ship('1'), origin, 1_000_000, () => undefined)
  for (let count = 0; count < 1001; count++) {
    operations.start(ship('2'), origin, 1, () => undefined)
    clock.advance(1)
  }
  const statusOf = (path: string) => operations.answer(path).value
  expect(statusOf('/orders/1/ship/1')).toMatchObject({ id: '1', status: 'running' })
  expect(() => statusOf('/orders/2/ship/2')).toThrow('there is no such operation')
  expect(statusOf('/orders/2/ship/3')).toMatchObject({ id: '3', status: 'succeeded' })
  expect(statusOf('/orders/2/ship/1002')).toMatchObject({ id: '1002', status: 'succeeded' })
})

it('lets no operation finish that a reset has cancelled in the middle of its work', async () => {
  const clock = createManualClock()
  const operations = open({ clock })
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => (resolve = settle))
  const checked: unknown[] = []
  const work = (check: () => void): Promise<void> =>
    promise.then(() => {
      try {
        return check()
      } catch (error) {
        checked.push(error)
        throw error
      }
    })
  operations.start(ship('1'), origin, 1, work)
  clock.advance(1)
  operations.reset()
  operations.start(ship('1'), origin, 10, () => undefined)
  resolve()
  await promise
  expect(checked).toMatchObject([{ message: 'Failed to finish: the mock was reset.' }])
  expect(operations.answer('/orders/1/ship/1').value).toMatchObject({ status: 'running' })
})

it('resumes the operations that an earlier process has stored', () => {
  const stored = new Map<string, StoredOperation>()
  const first = open({ clock: createManualClock(0), known: stored })
  first.start(ship('1'), origin, 10, () => undefined)
  const clock = createManualClock(6)
  const resumed: Task[] = []
  const operations = open({
    clock,
    known: new Map(stored),
    resume: (task) => () => void resumed.push(task),
  })
  expect(() => operations.start(ship('1'), origin, 1, fail)).toThrow('already running')
  clock.advance(4)
  expect(resumed).toEqual([ship('1')])
  expect(operations.answer('/orders/1/ship/1').value).toMatchObject({ status: 'succeeded' })
  const { headers } = operations.start(ship('1'), origin, 1, () => undefined)
  expect(headers).toContainEqual(['Location', `${origin}/orders/1/ship/2`])
})

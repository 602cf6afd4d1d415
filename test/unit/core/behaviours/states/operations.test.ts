import { expect, it } from 'vitest'

import {
  createOperations,
  type Operations,
  type StoredOperation,
  type Task,
  type Work,
} from '../../../../../src/core/behaviours/states/operations.ts'
import { type Clock, createManualClock } from '../../../../../src/index.ts'

/** The operations of a world with storage. */
function open(
  clock: Clock,
  stored = new Map<string, StoredOperation>(),
  resume: (task: Task) => Work = fail,
): Operations {
  const world = { clock, stored: () => stored as never, host: () => ({ onFailure: fail }) as never }
  return createOperations(world, resume)
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
  const operations = open(clock)
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
  const operations = open(clock)
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
  const first = open(createManualClock(0), stored)
  first.start(ship('1'), origin, 10, () => undefined)
  const clock = createManualClock(6)
  const resumed: Task[] = []
  const resume = (task: Task) => () => void resumed.push(task)
  const operations = open(clock, new Map(stored), resume)
  expect(() => operations.start(ship('1'), origin, 1, fail)).toThrow('already running')
  clock.advance(4)
  expect(resumed).toEqual([ship('1')])
  expect(operations.answer('/orders/1/ship/1').value).toMatchObject({ status: 'succeeded' })
  const { headers } = operations.start(ship('1'), origin, 1, () => undefined)
  expect(headers).toContainEqual(['Location', `${origin}/orders/1/ship/2`])
})

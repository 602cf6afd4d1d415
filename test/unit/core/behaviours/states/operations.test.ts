import { expect, it } from 'vitest'

import { createOperations } from '../../../../../src/core/behaviours/states/operations.ts'
import { createManualClock } from '../../../../../src/index.ts'

const origin = 'http://mock.test'
const fail = (error: unknown): never => {
  throw error
}

it('keeps the last 1000 finished operations, and every running one', () => {
  const clock = createManualClock()
  const operations = createOperations(clock, fail)
  operations.start('/orders/1/ship', origin, 1_000_000, () => undefined)
  for (let count = 0; count < 1001; count++) {
    operations.start('/orders/2/ship', origin, 1, () => undefined)
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
  const operations = createOperations(clock, fail)
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
  operations.start('/orders/1/ship', origin, 1, work)
  clock.advance(1)
  operations.reset()
  operations.start('/orders/1/ship', origin, 10, () => undefined)
  resolve()
  await promise
  expect(checked).toMatchObject([{ message: 'Failed to finish: the mock was reset.' }])
  expect(operations.answer('/orders/1/ship/1').value).toMatchObject({ status: 'running' })
})

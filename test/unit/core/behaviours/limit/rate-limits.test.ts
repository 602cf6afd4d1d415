import { expect, it } from 'vitest'
import { type Algorithm, algorithms } from '../../../../../src/core/behaviours/limit/rate-limits.ts'

/** Counts the requests of one client. */
function createClient(algorithm: Algorithm, requests: number, window: number) {
  const quota = algorithms[algorithm](requests, window)
  const count = quota.start()
  return { take: (now: number) => quota.take(count, now) }
}

/** Times at which a request comes, in seconds, and whether it is answered; two in ten seconds are. */
const rows: [algorithm: Algorithm, times: number[], allowed: boolean[]][] = [
  ['fixed', [0, 1, 2, 10, 11, 12], [true, true, false, true, true, false]],
  ['fixed', [0, 9, 10, 11], [true, true, true, true]],
  ['sliding', [0, 9, 10, 11, 19, 20], [true, true, true, false, true, true]],
  [
    'bucket',
    [0, 0, 0, 5, 5, 10, 20, 20, 20],
    [true, true, false, true, false, true, true, true, false],
  ],
  ['bucket', [0, 100, 100, 100], [true, true, true, false]],
  // A test can set the clock to an earlier time.
  ['fixed', [100, 100, 0, 0, 0], [true, true, true, true, false]],
  ['sliding', [100, 100, 0, 0, 0], [true, true, true, true, false]],
  ['bucket', [100, 100, 0, 5, 5], [true, true, false, true, false]],
]

it.each(rows)('%s lets requests pass at %j as %j', (algorithm, times, allowed) => {
  const quota = createClient(algorithm, 2, 10_000)
  expect(times.map((time) => quota.take(time * 1000).isAllowed)).toEqual(allowed)
})

it.each([
  ['fixed', 0, 10_000],
  ['sliding', 0, 7_000],
  ['bucket', 0, 3_500],
] as const)('%s says when more is allowed', (algorithm, remaining, reset) => {
  const quota = createClient(algorithm, 2, 10_000)
  for (const time of [0, 0]) quota.take(time)
  const at = algorithm === 'fixed' ? 0 : algorithm === 'sliding' ? 3_000 : 1_500
  expect(quota.take(at)).toEqual({ isAllowed: false, remaining, reset })
})

it.each(Object.keys(algorithms) as Algorithm[])(
  '%s allows a request when it has said so, and none before',
  (algorithm) => {
    for (const requests of [1, 3, 7, 10]) {
      for (const window of [33, 100, 3001, 60_000]) {
        const open = () => {
          const quota = createClient(algorithm, requests, window)
          let time = 0
          for (let count = 0; quota.take(time).isAllowed; count++) time += count % 3
          return { quota, time }
        }
        const { reset } = open().quota.take(open().time)
        const [early, due] = [open(), open()]
        expect(early.quota.take(early.time + reset - 1)).toMatchObject({ isAllowed: false })
        expect(due.quota.take(due.time + reset)).toMatchObject({ isAllowed: true })
      }
    }
  },
)

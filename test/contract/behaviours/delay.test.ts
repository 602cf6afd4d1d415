import { expect, it } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { delay, sessions } from '../../../src/behaviours.ts'
import type { Delay } from '../../../src/behaviours.ts'
import { createMock } from '../../../src/index.ts'
import { createInstantClock } from '../../clocks.ts'
import { faces } from '../../faces.ts'

const fixtures = { posts: [{ id: 1 }] }

const rows: [delay: Delay, least: number, most: number][] = [
  [200, 200, 200],
  ['2s', 2000, 2000],
  ['200-800', 200, 800],
  ['1-2s', 1000, 2000],
  [{ min: '100ms', max: 300 }, 100, 300],
  [{ median: 100, sigma: 0.1 }, 50, 200],
]

it.each(rows)('delays a response by %j', async (time, least, most) => {
  const mock = createMock({ fixtures, clock: createInstantClock(), seed: 3, use: [delay(time)] })
  for (let count = 0; count < 50; count++) await mock.fetch(new Request('http://mock.test/posts'))
  for (const { ms } of mock.log) {
    expect(ms).toBeGreaterThanOrEqual(least)
    expect(ms).toBeLessThanOrEqual(most)
  }
  expect(new Set(mock.log.map(({ ms }) => ms)).size > 5).toBe(least !== most)
})

it.each(Object.keys(faces))('delays only matching requests (%s)', async (name) => {
  const use = [delay(100, { only: ['POST *'] })]
  const mock = createMock({ fixtures, clock: createInstantClock(), use })
  const connection = await faces[name]?.(mock)
  await connection?.send('GET /posts')
  await connection?.send({ request: 'POST /posts', body: {} })
  await connection?.close()
  expect(mock.log.map(({ ms, reason }) => [ms, reason])).toEqual([
    [0, ''],
    [100, 'delayed 100 ms'],
  ])
})

it('logs one delay for a cached response', async () => {
  const use = [delay('200-800')]
  const mock = createMock({ fixtures, clock: createInstantClock(), seed: 1, use })
  for (let count = 0; count < 3; count++) await mock.fetch('http://mock.test/posts?nope=1')
  expect(mock.log.map(({ reason }) => reason)).toEqual(
    mock.log.map(({ ms }) => `delayed ${ms} ms; ignored "nope"`),
  )
})

it('reports a wrong delay', () => {
  expect(() => delay('fast')).toThrow('Failed to read the options of "delay": it cannot be "fast"')
})

it('stays off in a fork', async () => {
  const mock = createMock({ fixtures: { posts: [] }, use: [delay('1h'), sessions()] })
  void internalsOf(mock).behaviours[0]?.controls?.['PUT']?.({ isOn: false })
  const headers = { 'X-Mock-Session': 'a' }
  expect((await mock.fetch('/posts', { headers })).status).toBe(200)
})

it('has one switch for all delays of a mock, which a reset turns on', async () => {
  const use = [delay(100), delay(200)]
  const mock = createMock({ fixtures, clock: createInstantClock(), use })
  const fork = mock.fork()
  const [first, last] = internalsOf(mock).behaviours.map(({ controls }) => controls)
  expect(first?.['PUT']?.({ isOn: false })).toEqual({ isOn: false })
  expect(last?.['GET']?.(null)).toEqual({ isOn: false })
  await mock.fetch('http://mock.test/posts')
  await fork.fetch('http://mock.test/posts')
  expect([
    mock.log[0]?.ms,
    internalsOf(mock.fork()).behaviours[1]?.controls?.['GET']?.(null),
  ]).toEqual([0, { isOn: false }])
  expect(fork.log[0]?.ms).toBe(300)
  mock.reset()
  await mock.fetch('http://mock.test/posts')
  expect(mock.log[0]?.ms).toBe(300)
})

it.each([
  [{ isOn: 'no' }, '"isOn" cannot be "no". Please give true or false.'],
  [{ on: false }, 'there is no "on". Known: isOn.'],
  [{}, '"isOn" is missing. Please give true or false.'],
  [null, 'it cannot be null. Please give an object.'],
])('is not switched by %j', (input, message) => {
  const mock = createMock({ fixtures, use: [delay(100)] })
  const controls = internalsOf(mock).behaviours[0]?.controls
  expect(() => controls?.['PUT']?.(input)).toThrow(`Failed to read the delay switch: ${message}`)
  expect(controls?.['GET']?.(null)).toEqual({ isOn: true })
})

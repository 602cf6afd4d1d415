import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../../../../src/core/http/contract/internals.ts'
import type { MaybePromise, MockResponse } from '../../../../../src/core/http/contract/messages.ts'
import { limit } from '../../../../../src/behaviours.ts'
import { createManualClock, createMock, type Mock, MockError } from '../../../../../src/index.ts'

const fixtures = { posts: [{ id: 1, title: 'First' }] }

describe('a rule', () => {
  it('waits until the clock says so', async () => {
    const clock = createManualClock()
    const mock = createMock({ fixtures, clock })
    mock.on('GET', '/posts').delay(300)
    const answer = ask(mock, 'GET', '/posts')
    let isAnswered = false
    const answered = Promise.resolve(answer).then(() => (isAnswered = true))
    clock.advance(299)
    await settled()
    expect(isAnswered).toBe(false)
    clock.advance(1)
    await answered
  })

  it('waits before it answers if a rule has a delay and a response', async () => {
    const clock = createManualClock()
    const mock = createMock({ fixtures, clock })
    mock.on('GET', '/posts').delay(300).fail(500).times(1)
    const answer = ask(mock, 'GET', '/posts')
    clock.advance(300)
    expect((await answer).status).toBe(500)
    expect(mock.log.map(({ ms, reason }) => [ms, reason])).toEqual([[300, 'rule 1 answered']])
    expect(await statusOf(mock, 'GET', '/posts')).toBe(200)
  })

  it('waits for the answer of another', async () => {
    const clock = createManualClock()
    const mock = createMock({ fixtures, clock })
    mock.on('GET', '/posts').drop()
    mock.on('*', '*').delay('200-800')
    const answer = ask(mock, 'GET', '/posts')
    clock.advance(800)
    expect((await answer).status).toBe(0)
    expect(mock.log[0]?.reason).toBe('rule 2 waited; rule 1 answered')
    expect(mock.log[0]?.ms).toBeGreaterThanOrEqual(200)
  })

  it('waits the same for the same seed', () => {
    const waits = [1, 2].map(() => {
      const times: number[] = []
      const clock = { now: () => 0, after: (ms: number) => (times.push(ms), () => {}) }
      const mock = createMock({ fixtures, clock, seed: 'x' })
      mock.on('GET', '/posts').delay('200-800')
      void ask(mock, 'GET', '/posts')
      mock.reset()
      mock.on('GET', '/posts').delay('200-800')
      void ask(mock, 'GET', '/posts')
      return times
    })
    expect(waits[0]).toEqual(waits[1])
    expect(waits[0]?.[0]).toBe(waits[0]?.[1])
  })

  it('is answered at once where it does not wait', () => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/posts').fail(500)
    expect(ask(mock, 'GET', '/posts')).not.toBeInstanceOf(Promise)
  })

  it('has its number in the log', async () => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/other').fail(500)
    mock.on('GET', '/posts').reply(200, [])
    await ask(mock, 'GET', '/posts')
    expect(mock.log[0]?.reason).toBe('rule 2 answered')
  })

  it('can be given other times', async () => {
    const mock = createMock({ fixtures })
    const rule = mock.on('GET', '/posts').fail(500, { times: 1 })
    expect(await statuses(mock, 2)).toEqual([500, 200])
    rule.times(2)
    expect(await statuses(mock, 3)).toEqual([500, 500, 200])
  })

  it('can be changed, which leaves it in its place', async () => {
    const mock = createMock({ fixtures })
    const rule = mock.on('GET', '/posts').drop()
    mock.on('GET', '/posts').fail(503, { times: 1 })
    rule.fail(500)
    expect(await statuses(mock, 2)).toEqual([503, 500])
  })

  it('answers as often where it waits as well', async () => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/posts').fail(500, { times: 1 }).delay(0)
    expect(await statuses(mock, 2)).toEqual([500, 200])
  })

  it('counts from one again behind a reset', async () => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/posts').fail(500)
    mock.reset()
    mock.on('GET', '/posts').fail(500)
    await ask(mock, 'GET', '/posts')
    expect(mock.log[0]?.reason).toBe('rule 1 answered')
  })

  it('can be removed once it is used up', () => {
    const rule = createMock({ fixtures }).on('GET', '/posts').fail(500, { times: 1 })
    rule.remove()
    expect(() => rule.remove()).not.toThrow()
  })

  it('comes before limits only where it drops', async () => {
    const mock = createMock({ fixtures, use: [limit({ requests: 1, per: '1m' })] })
    const rule = mock.on('GET', '/posts').drop()
    expect(await statuses(mock, 2)).toEqual([0, 0])
    rule.fail(500)
    expect(await statuses(mock, 2)).toEqual([500, 429])
  })

  it('means the base itself, and nothing that only begins like it', async () => {
    const mock = createMock({ fixtures, base: '/api' })
    mock.on('GET', '/api').reply(200, 'the base')
    mock.on('GET', '/s/posts').reply(200, 'a path below it')
    const ask = async (path: string): Promise<number> => (await mock.fetch(path)).status
    expect(await ask('/api')).toBe(200)
    expect(await ask('/api/s/posts')).toBe(200)
    expect(await ask('/apis/posts')).toBe(404)
    expect(await ask('/api/api')).toBe(404)
  })

  it('makes a path the mock own that no resource has', () => {
    const mock = createMock({ fixtures })
    expect(internalsOf(mock).owns('/flags/a')).toBe(false)
    const rule = mock.on('GET', '/flags/:name').reply(200, {})
    mock.on('GET', '*').delay(1)
    expect([
      internalsOf(mock).owns('/flags/a'),
      internalsOf(mock).owns('/other'),
      internalsOf(mock).owns('/'),
    ]).toEqual([true, false, false])
    rule.remove()
    expect(internalsOf(mock).owns('/flags/a')).toBe(false)
  })

  const wrong: [title: string, make: (mock: Mock) => unknown, message: string][] = [
    [
      'a status that answers nothing',
      (mock) => mock.on('GET', '/posts').fail(100),
      'it cannot be 100. Please give one of 200 to 599.',
    ],
    [
      'a status that there is not',
      (mock) => mock.on('GET', '/posts').reply(600),
      'it cannot be 600. Please give one of 200 to 599.',
    ],
    [
      'a status that is a text',
      (mock) => mock.on('GET', '/posts').reply('200' as unknown as number),
      'it cannot be "200"',
    ],
    ['a delay that is none', (mock) => mock.on('GET', '/posts').delay('soon'), '"soon"'],
    [
      'a header whose name is none',
      (mock) => mock.on('GET', '/posts').fail(500, { headers: { 'X A': 'a' } }),
      'the header "X A" cannot be sent',
    ],
    [
      'a header that ends its line',
      (mock) => mock.on('GET', '/posts').reply(200, {}, { headers: { 'X-A': 'a\r\nX-B: b' } }),
      'the header "X-A" cannot be sent',
    ],
    [
      'a header with signs that none has',
      (mock) => mock.on('GET', '/posts').reply(200, {}, { headers: { 'X-A': '€' } }),
      'the header "X-A" cannot be sent',
    ],
    [
      'a promise, which would have to be awaited',
      (mock) => mock.on('GET', '/posts').fail(500, { body: Promise.resolve({}) }),
      'Please give JSON, a text, bytes or a stream.',
    ],
    [
      'what JSON knows nothing of',
      (mock) => mock.on('GET', '/posts').reply(200, new Map([[1, 2]])),
      'Please give JSON, a text, bytes or a stream.',
    ],
    [
      'a method that is no text',
      (mock) => mock.on(undefined as unknown as string, '/posts'),
      'the method and the path have to be strings',
    ],
    [
      'a path with a query',
      (mock) => mock.on('GET', '/posts?a=1'),
      'Please give one without a query.',
    ],
  ]
  const empty: [title: string, body: unknown, expected: string][] = [
    ['an object', {}, '{}'],
    ['one without a prototype', Object.create(null), '{}'],
    ['a text that looks like one', '{}', '{}'],
    ['an empty text', '', ''],
    ['what says itself how it is written', { toJSON: () => ({}) }, '{}'],
  ]
  it.each(empty)('answers with nothing in it: %s', async (_title, body, expected) => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/posts').reply(200, body)
    expect((await ask(mock, 'GET', '/posts')).body).toBe(expected)
  })

  it.each([204, 205, 304])('answers %i without a body', async (status) => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/posts').reply(status, { a: 1 })
    expect(await ask(mock, 'GET', '/posts')).toMatchObject({ status, body: null })
  })

  it('answers bytes without saying what they are', async () => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/posts').reply(599, Uint8Array.of(1))
    const { status, headers } = await ask(mock, 'GET', '/posts')
    expect([status, headers.some(([name]) => name === 'Content-Type')]).toEqual([599, false])
  })

  it.each(wrong)('refuses %s', (_title, make, message) => {
    const mock = createMock({ fixtures })
    expect(() => make(mock)).toThrow(MockError)
    expect(() => make(mock)).toThrow(message)
  })
})

describe('a fork', () => {
  it('begins with the rules of its origin, and counts their times on its own', async () => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/posts').fail(500, { times: 1 })
    const fork = mock.fork()
    expect(await statuses(fork, 2)).toEqual([500, 200])
    expect(await statuses(mock, 2)).toEqual([500, 200])
  })

  it('has rules of its own from then on', async () => {
    const mock = createMock({ fixtures })
    const fork = mock.fork()
    fork.on('GET', '/posts').fail(500)
    expect(await statuses(mock, 1)).toEqual([200])
    mock.on('GET', '/posts').fail(503)
    expect(await statuses(fork, 1)).toEqual([500])
    mock.reset()
    expect(await statuses(fork, 1)).toEqual([500])
    expect(fork.log.map(({ reason }) => reason)).toEqual(['rule 1 answered', 'rule 1 answered'])
  })
})

function ask(mock: Mock, method: string, path: string): MaybePromise<MockResponse> {
  const request = { method, path, search: '', origin: 'http://a.test', headers: {} }
  return internalsOf(mock).handle(
    { ...request, text: () => '', form: () => [] },
    { origins: 'any' },
  )
}

async function statusOf(mock: Mock, method: string, path: string): Promise<number> {
  return (await ask(mock, method, path)).status
}

async function statuses(mock: Mock, count: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < count) found.push(await statusOf(mock, 'GET', '/posts'))
  return found
}

/** Resolves once everything has run that waits for nothing but its turn. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

import { describe, expect, it } from 'vitest'

import { delay, events } from '../../../../src/behaviours.ts'
import { createManualClock, createMock } from '../../../../src/index.ts'

const fixtures = { posts: [{ id: 1, title: 'First' }] }
const url = 'http://mock.test/posts/1'

describe('a request that is given up', () => {
  it('rejects with the reason of its signal while it waits', async () => {
    const mock = createMock({ fixtures, use: [delay('1h')], clock: createManualClock() })
    const controller = new AbortController()
    const answered = mock.fetch(url, { signal: controller.signal })
    controller.abort(new Error('gone to another page'))
    await expect(answered).rejects.toThrow('gone to another page')
  })

  it('rejects as an AbortError where no reason is given', async () => {
    const mock = createMock({ fixtures, use: [delay('1h')], clock: createManualClock() })
    const controller = new AbortController()
    const answered = mock.fetch(new Request(url, { signal: controller.signal }))
    controller.abort()
    await expect(answered).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('is not sent where its signal has ended before', async () => {
    const mock = createMock({ fixtures })
    const signal = AbortSignal.abort()
    const removed = mock.fetch(url, { method: 'DELETE', signal })
    await expect(removed).rejects.toMatchObject({ name: 'AbortError' })
    // Whatever was sent before it would be answered by now.
    expect((await mock.fetch(url)).status).toBe(200)
    expect(mock.log.count('DELETE *')).toBe(0)
  })

  it('ends a stream that it is read from', async () => {
    const mock = createMock({ fixtures, use: [events()] })
    const controller = new AbortController()
    const headers = { Accept: 'text/event-stream' }
    const { signal } = controller
    const response = await mock.fetch('http://mock.test/posts', { headers, signal })
    const read = response.text()
    controller.abort()
    await expect(read).rejects.toMatchObject({ name: 'AbortError' })
  })

  it.each([
    ['an iterable', (end: () => void) => mute(end)],
    ['a ReadableStream', (end: () => void) => new ReadableStream({ cancel: end })],
  ])('ends %s at once that has nothing to say', async (_, open) => {
    const mock = createMock({ fixtures })
    const ended = new Promise<void>((end) => mock.on('GET', '/posts').reply(200, open(end)))
    const controller = new AbortController()
    const response = await mock.fetch('/posts', { signal: controller.signal })
    const read = response.text()
    controller.abort()
    await expect(read).rejects.toMatchObject({ name: 'AbortError' })
    await ended
  })

  it('ends a stream that is opened too late', async () => {
    const mock = createMock({ fixtures })
    const controller = new AbortController()
    const ended = new Promise<void>((end) => {
      mock.on('GET', '/posts').reply(200, async () => {
        controller.abort()
        return mute(end)
      })
    })
    const answered = mock.fetch('/posts', { signal: controller.signal })
    await expect(answered).rejects.toMatchObject({ name: 'AbortError' })
    await ended
  })

  it('is answered as ever where the signal ends later', async () => {
    const mock = createMock({ fixtures })
    const controller = new AbortController()
    const response = await mock.fetch(url, { signal: controller.signal })
    controller.abort()
    expect(await response.json()).toEqual(fixtures.posts[0])
  })

  it('ends a stream whose own end fails, and rejects nothing for it', async () => {
    const mock = createMock({ fixtures })
    let ended = 0
    async function* speak(): AsyncGenerator<string> {
      try {
        yield 'a'
        yield 'b'
      } finally {
        ended++
        await Promise.reject(new Error('no way out'))
      }
    }
    mock.on('GET', '/posts/1').reply(200, speak())
    const controller = new AbortController()
    const reader = (await mock.fetch(url, { signal: controller.signal })).body?.getReader()
    await reader?.read()
    controller.abort()
    await expect(reader?.read()).rejects.toMatchObject({ name: 'AbortError' })
    expect(ended).toBe(1)
  })
})

/** Has nothing to say. */
function mute(end: () => void): AsyncIterable<string> {
  const iterator: AsyncIterator<string> = {
    next: () => new Promise(() => {}),
    async return() {
      end()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

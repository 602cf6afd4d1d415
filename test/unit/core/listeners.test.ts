import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { createMock } from '../../../src/index.ts'

function quiet() {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => told.mockRestore())
  return told
}

describe('a listener that throws', () => {
  const failure = new Error('this listener is broken')
  const fail = (): never => {
    throw failure
  }
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }

  it('to changes is told of on the console, and changes neither the answer nor what others hear', async () => {
    const told = quiet()
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
    const heard: string[] = []
    mock.subscribe(fail)
    mock.subscribe(({ type }) => heard.push(type))
    const response = await mock.fetch('http://mock.test/posts', post)
    expect(response.status).toBe(201)
    expect(mock.db.posts.remove(2)).toEqual({ id: 2 })
    expect(heard).toEqual(['created', 'deleted'])
    expect(told.mock.calls).toEqual([
      ['Failed to tell a listener of a change:', failure],
      ['Failed to tell a listener of a change:', failure],
    ])
  })

  it('to requests is told of on the console, and changes neither the answer nor what others hear', async () => {
    const told = quiet()
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
    const heard: number[] = []
    mock.onRequest(fail)
    mock.onRequest(({ status }) => heard.push(status))
    expect((await mock.fetch('http://mock.test/posts/1')).status).toBe(200)
    expect((await mock.fetch('http://mock.test/posts', post)).status).toBe(201)
    expect(heard).toEqual([200, 201])
    expect(told.mock.calls).toEqual([
      ['Failed to tell a listener of a request:', failure],
      ['Failed to tell a listener of a request:', failure],
    ])
  })

  it('hears no more once it has ended', async () => {
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
    const heard: unknown[] = []
    const ends = [
      mock.subscribe((one) => heard.push(one)),
      mock.onRequest((one) => heard.push(one)),
    ]
    for (const end of ends) end()
    await mock.fetch('http://mock.test/posts', post)
    expect(heard).toEqual([])
  })
})

describe('a listener that changes what it hears of', () => {
  it('changes neither the data nor what others hear', () => {
    const mock = createMock({ fixtures: { posts: [{ id: 1, tags: ['a'] }] } })
    const heard: unknown[] = []
    mock.subscribe((change) => {
      if (change.type !== 'updated') return
      for (const { tags } of [change.record, change.previous]) (tags as string[]).push('b')
    })
    mock.subscribe((change) => heard.push(change))
    mock.db.posts.update(1, { title: 'One' } as object)
    const record = { id: 1, tags: ['a'], title: 'One' }
    expect(mock.db.posts.get(1)).toEqual(record)
    const previous = { id: 1, tags: ['a'] }
    expect(heard).toEqual([{ type: 'updated', collection: 'posts', id: '1', record, previous }])
    mock.reset()
    expect(mock.db.posts.get(1)).toEqual(previous)
  })
})

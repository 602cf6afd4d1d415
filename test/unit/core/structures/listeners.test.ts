import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { type Behaviour, type Hooks, states, webhooks } from '../../../../src/behaviours.ts'
import { createManualClock, createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'

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

describe('what fails behind an answer is told of on the console', () => {
  const failure = new TypeError('this behaviour is broken')
  const fail = (): never => {
    throw failure
  }
  const orders = [{ id: 1, status: 'placed' }]
  const transitions = { placed: ['paid'] }
  const open = (hooks: Hooks, ...use: Behaviour[]) => {
    const clock = createManualClock()
    const own: Behaviour = { name: 'own', create: () => hooks }
    return { clock, mock: createMock({ fixtures: { orders }, clock, use: [...use, own] }) }
  }

  it('where an action takes its time', async () => {
    const told = quiet()
    const pay = { to: 'paid', takes: '5s' }
    const { clock, mock } = open(
      { write: fail },
      states({ orders: { transitions, actions: { pay } } }),
    )
    await mock.fetch('/orders/1/pay', { method: 'POST' })
    clock.advance(5000)
    const operation = await mock.fetch('/orders/1/pay/1')
    expect(await operation.json()).toMatchObject({ error: { detail: 'Failed to finish.' } })
    expect(told.mock.calls).toEqual([['Failed to finish "/orders/1/pay" (1):', failure]])
  })

  it('but not where it was refused', async () => {
    const told = quiet()
    const pay = { to: 'paid', takes: '5s' }
    const { clock, mock } = open({}, states({ orders: { transitions, actions: { pay } } }))
    await mock.fetch('/orders/1/pay', { method: 'POST' })
    mock.db.orders.remove(1)
    clock.advance(5000)
    expect(told).not.toHaveBeenCalled()
  })

  it('where a webhook would tell of a write, which is done', async () => {
    const told = quiet()
    const endpoints = [{ url: 'http://hooks.test', secret: 'whsec_c2VjcmV0' }]
    const { mock } = open({ publish: fail }, webhooks({ endpoints, send: fail }))
    expect((await mock.fetch('/orders/1', { method: 'DELETE' })).status).toBe(200)
    expect(told.mock.calls).toEqual([['Failed to send a change to a webhook:', failure]])
  })

  it('where a record leaves its state by itself', () => {
    const told = quiet()
    const after = { placed: { to: 'paid', in: '5s' } }
    const { clock, mock } = open({}, states({ orders: { transitions, after } }))
    mock.store.changes.subscribe(fail)
    clock.advance(5000)
    expect(told.mock.calls).toEqual([['Failed to tell a listener of a change:', failure]])
    expect(mock.db.orders.get(1)).toEqual({ id: 1, status: 'paid' })
  })

  it('where a control fails', async () => {
    const told = quiet()
    const { mock } = open({ controls: { PUT: fail, POST: () => Promise.reject(failure) } })
    const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
    onTestFinished(close)
    for (const method of ['PUT', 'POST', 'PATCH']) await fetch(`${url}/__mock/own`, { method })
    expect(told.mock.calls).toEqual([
      ['Failed to steer the mock by PUT "/__mock/own":', failure],
      ['Failed to steer the mock by POST "/__mock/own":', failure],
    ])
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

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { internalsOf } from '../../../../src/core/http/contract/internals.ts'
import { type Behaviour, type Hooks, states, webhooks } from '../../../../src/behaviours.ts'
import { createManualClock, createMock } from '../../../../src/index.ts'
import { serve } from '../../../../src/node.ts'

function spyOnErrors() {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => errors.mockRestore())
  return errors
}

describe('a listener that throws', () => {
  const failure = new Error('this listener is broken')
  const fail = (): never => {
    throw failure
  }
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }

  it('to changes is reported on the console and affects neither the response nor other listeners', async () => {
    const errors = spyOnErrors()
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
    const received: string[] = []
    mock.subscribe(fail)
    mock.subscribe(({ type }) => received.push(type))
    const response = await mock.fetch('http://mock.test/posts', post)
    expect(response.status).toBe(201)
    expect(mock.db.posts.remove(2)).toEqual({ id: 2 })
    expect(received).toEqual(['created', 'deleted'])
    expect(errors.mock.calls).toEqual([
      ['Failed to notify a listener of a change:', failure],
      ['Failed to notify a listener of a change:', failure],
    ])
  })

  it('to requests is reported on the console and affects neither the response nor other listeners', async () => {
    const errors = spyOnErrors()
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
    const received: number[] = []
    mock.onRequest(fail)
    mock.onRequest(({ status }) => received.push(status))
    expect((await mock.fetch('http://mock.test/posts/1')).status).toBe(200)
    expect((await mock.fetch('http://mock.test/posts', post)).status).toBe(201)
    expect(received).toEqual([200, 201])
    expect(errors.mock.calls).toEqual([
      ['Failed to notify a listener of a request:', failure],
      ['Failed to notify a listener of a request:', failure],
    ])
  })

  it('is not called after it has unsubscribed', async () => {
    const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
    const received: unknown[] = []
    const unsubscribes = [
      mock.subscribe((one) => received.push(one)),
      mock.onRequest((one) => received.push(one)),
    ]
    for (const unsubscribe of unsubscribes) unsubscribe()
    await mock.fetch('http://mock.test/posts', post)
    expect(received).toEqual([])
  })
})

describe('a failure after the response is reported on the console', () => {
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

  it('for an action that takes time', async () => {
    const errors = spyOnErrors()
    const pay = { to: 'paid', takes: '5s' }
    const { clock, mock } = open(
      { write: fail },
      states({ orders: { transitions, actions: { pay } } }),
    )
    await mock.fetch('/orders/1/pay', { method: 'POST' })
    clock.advance(5000)
    const operation = await mock.fetch('/orders/1/pay/1')
    expect(await operation.json()).toMatchObject({ error: { detail: 'Failed to finish.' } })
    expect(errors.mock.calls).toEqual([['Failed to finish "/orders/1/pay" (1):', failure]])
  })

  it('but not for an action that is refused', async () => {
    const errors = spyOnErrors()
    const pay = { to: 'paid', takes: '5s' }
    const { clock, mock } = open({}, states({ orders: { transitions, actions: { pay } } }))
    await mock.fetch('/orders/1/pay', { method: 'POST' })
    mock.db.orders.remove(1)
    clock.advance(5000)
    expect(errors).not.toHaveBeenCalled()
  })

  it('for a webhook, whose write succeeds', async () => {
    const errors = spyOnErrors()
    const endpoints = [{ url: 'http://hooks.test', secret: 'whsec_c2VjcmV0' }]
    const { mock } = open({ publish: fail }, webhooks({ endpoints, send: fail }))
    expect((await mock.fetch('/orders/1', { method: 'DELETE' })).status).toBe(200)
    expect(errors.mock.calls).toEqual([['Failed to send a change to a webhook:', failure]])
  })

  it('for a timed transition', () => {
    const errors = spyOnErrors()
    const after = { placed: { to: 'paid', in: '5s' } }
    const { clock, mock } = open({}, states({ orders: { transitions, after } }))
    internalsOf(mock).store.changes.subscribe(fail)
    clock.advance(5000)
    expect(errors.mock.calls).toEqual([['Failed to notify a listener of a change:', failure]])
    expect(mock.db.orders.get(1)).toEqual({ id: 1, status: 'paid' })
  })

  it('for a control', async () => {
    const errors = spyOnErrors()
    const { mock } = open({ controls: { PUT: fail, POST: () => Promise.reject(failure) } })
    const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
    onTestFinished(close)
    for (const method of ['PUT', 'POST', 'PATCH']) await fetch(`${url}/__mock/own`, { method })
    expect(errors.mock.calls).toEqual([
      ['Failed to control the mock by PUT "/__mock/own":', failure],
      ['Failed to control the mock by POST "/__mock/own":', failure],
    ])
  })
})

describe('a listener that modifies its event', () => {
  it('affects neither the data nor other listeners', () => {
    const mock = createMock({ fixtures: { posts: [{ id: 1, tags: ['a'] }] } })
    const received: unknown[] = []
    mock.subscribe((change) => {
      if (change.type !== 'updated') return
      for (const { tags } of [change.record, change.previous]) (tags as string[]).push('b')
    })
    mock.subscribe((change) => received.push(change))
    mock.db.posts.update(1, { title: 'One' } as object)
    const record = { id: 1, tags: ['a'], title: 'One' }
    expect(mock.db.posts.get(1)).toEqual(record)
    const previous = { id: 1, tags: ['a'] }
    expect(received).toEqual([{ type: 'updated', collection: 'posts', id: '1', record, previous }])
    mock.reset()
    expect(mock.db.posts.get(1)).toEqual(previous)
  })
})

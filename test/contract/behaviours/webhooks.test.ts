import { Webhook } from 'standardwebhooks'
import { expect, it, onTestFinished, vi } from 'vitest'

import {
  auth,
  type Send,
  sessions,
  states,
  versions,
  type WebhookOptions,
  webhooks,
} from '../../../src/behaviours.ts'
import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { createManualClock, createMock } from '../../../src/index.ts'
import { listen } from '../../peers/harness/server.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const url = 'http://hooks.test/in'
const fixtures = { posts: [{ id: 1, title: 'One' }], comments: [{ id: 1 }] }

/** Answers with the statuses, the last one from then on, and takes what was sent down. */
function createEndpoint(...statuses: number[]) {
  const sent: Parameters<Send>[0][] = []
  const send: Send = (request) => {
    sent.push(request)
    const status = statuses.length > 1 ? statuses.shift() : statuses[0]
    if (status === 0) throw new Error('Nobody is there.')
    return { status: status ?? 200, headers: status === 503 ? { 'retry-after': '60' } : {} }
  }
  return { sent, send }
}

function shop(options: Omit<WebhookOptions, 'endpoints'> & Partial<WebhookOptions>) {
  const clock = createManualClock(Date.now())
  const use = [webhooks({ endpoints: [{ url, secret }], ...options })]
  return { clock, mock: createMock({ fixtures, clock, seed: 1, use }) }
}

it('posts changes with a signature that standardwebhooks verifies', async () => {
  const { sent, send } = createEndpoint(204)
  const { mock } = shop({ send })
  mock.db.posts.insert({ title: 'Two' })
  await expect.poll(() => sent).toHaveLength(1)
  const { body = '', headers = {} } = sent[0] ?? {}
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: 'posts.created',
    data: { id: 2, title: 'Two' },
  })
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
})

it('sends computed fields, as nobody sees them, and no hidden fields', async () => {
  const { sent, send } = createEndpoint(204)
  const mock = createMock({
    fixtures: {
      posts: [{ id: 1, title: 'Old', secret: 's' }],
      comments: [{ id: 1, postId: 1, mail: 'a@x' }],
    },
    resources: {
      posts: {
        hidden: ['secret'],
        computed: {
          answers: { count: 'comments' },
          newest: { last: 'comments' },
          own: { exists: 'comments', viewer: true },
          broken: () => {
            throw new Error('no such thing')
          },
        },
      },
      comments: { hidden: ['mail'] },
    },
    use: [webhooks({ endpoints: [{ url, secret }], send })],
  })
  mock.db.posts.update(1, { title: 'New' })
  await expect.poll(() => sent).toHaveLength(1)
  const { data } = JSON.parse(sent[0]?.body ?? '') as { data: unknown }
  expect(data).toEqual({
    id: 1,
    title: 'New',
    answers: 1,
    newest: { id: 1, postId: 1 },
    own: false,
  })
})

it.each([
  ['posts.deleted', ['posts.deleted']],
  ['posts.*', ['posts.created', 'posts.updated', 'posts.deleted']],
  ['*', ['posts.created', 'comments.created', 'posts.updated', 'posts.deleted']],
])('tells of %s only what it asks for', async (event, types) => {
  const { sent, send } = createEndpoint(200)
  const { mock } = shop({ send, endpoints: [{ url, secret, events: [event] }] })
  mock.db.posts.insert({ title: 'Two' })
  mock.db.comments.insert({})
  mock.db.posts.update(1, { title: 'x' })
  mock.db.posts.remove(1)
  await expect.poll(() => sent).toHaveLength(types.length)
  expect(sent.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(types)
})

it('hides secrets, reports a soft delete as deleted, and reports timed changes', async () => {
  const { sent, send } = createEndpoint(200)
  const clock = createManualClock(Date.now())
  const mock = createMock({
    fixtures: {
      users: [{ id: 1, email: 'ada@x.org', password: 'pa', apiKey: 'k' }],
      orders: [{ id: 1, status: 'placed' }],
    },
    clock,
    use: [
      webhooks({ endpoints: [{ url, secret }], send }),
      auth({ scheme: ['bearer', 'apiKey'], protect: ['nothing'] }),
      states({
        orders: {
          transitions: { placed: ['lost'] },
          after: { placed: { to: 'lost', in: '1d' } },
          softDelete: true,
        },
      }),
    ],
  })
  mock.db.users.update(1, { email: 'ada@y.org' })
  clock.advance(24 * 3_600_000)
  await mock.fetch(new Request('http://mock.test/orders/1', { method: 'DELETE' }))
  await expect.poll(() => sent).toHaveLength(3)
  const messages = sent.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
  expect(messages.map(({ type, data }) => [type, data])).toEqual([
    ['users.updated', { id: 1, email: 'ada@y.org' }],
    ['orders.updated', { id: 1, status: 'lost' }],
    ['orders.deleted', { id: 1, status: 'lost' }],
  ])
})

it.each([
  ['the last version', undefined, { email: 'b@x.org' }],
  ['the default version', 'v1', { login: 'b@x.org' }],
])('posts records with the names of %s, without their secrets', async (_title, named, data) => {
  const fields = { users: { email: 'login', password: 'hash' } }
  const all = { versions: { v1: { fields }, v2: {} }, ...(named && { default: named }) }
  const { sent, send } = createEndpoint(204)
  const use = [versions(all), webhooks({ endpoints: [{ url, secret }], send }), auth()]
  const mock = createMock({ fixtures: { users: [] as object[] }, use })
  mock.db.users.insert({ email: 'b@x.org', password: 'S3CRET' })
  await expect.poll(() => sent).toHaveLength(1)
  expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
    data: { id: expect.anything(), ...data },
  })
  expect(sent[0]?.body).not.toContain('S3CRET')
})

it('retries until a 2xx response, with the same id', async () => {
  const { sent, send } = createEndpoint(0, 500, 503, 200)
  const { mock, clock } = shop({ send, retries: ['5s', '10s', '1s'] })
  mock.db.posts.remove(1)
  await expect.poll(() => sent).toHaveLength(1)
  await settled()
  for (const [pause, count] of [
    [5, 2],
    [10, 3],
    [59, 3],
    [1, 4],
    [3600, 4],
  ] as const) {
    clock.advance(pause * 1000)
    await settled()
    expect(sent).toHaveLength(count)
  }
  expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(sent.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(4)
})

it.each([
  ['seconds', () => '60', 60_000],
  ['a date', (now: number) => new Date(now + 90_000).toUTCString(), 90_000],
  ['an invalid value', () => 'soon', 5000],
  ['less than the configured delay', () => '1', 5000],
])('respects a Retry-After of %s', async (_, write, pause) => {
  const times: number[] = []
  const start = Math.floor(Date.now() / 1000) * 1000
  const clock = createManualClock(start)
  const send: Send = () => {
    times.push(clock.now() - start)
    return { status: 503, headers: { 'retry-after': write(start) } }
  }
  const use = [webhooks({ endpoints: [{ url, secret }], send, retries: ['5s'] })]
  createMock({ fixtures, clock, use }).db.posts.remove(1)
  await expect.poll(() => times).toHaveLength(1)
  await settled()
  clock.advance(pause - 1)
  await settled()
  clock.advance(1)
  await expect.poll(() => times).toEqual([0, pause])
})

it.each([
  [204, 'delivered', 1],
  [410, 'gone', 1],
  [500, 'failed', 2],
])('logs a delivery with the response %i as %s', async (status, state, count) => {
  const { sent, send } = createEndpoint(status)
  const { mock, clock } = shop({ send, retries: ['5s'] })
  mock.db.posts.remove(1)
  await expect.poll(() => sent).toHaveLength(1)
  await settled()
  const start = clock.now()
  clock.advance(5000)
  await settled()
  const attempts = [0, 5000].slice(0, count).map((after) => ({ time: start + after, status }))
  expect(internalsOf(mock).behaviours[0]?.controls?.['GET']?.(null)).toMatchObject([
    { type: 'posts.deleted', state, attempts },
  ])
})

it('retries by default with the delays of Standard Webhooks', async () => {
  const { sent, send } = createEndpoint(500)
  const { mock, clock } = shop({ send })
  mock.db.posts.remove(1)
  await expect.poll(() => sent).toHaveLength(1)
  await settled()
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440]
  for (const [at, pause] of minutes.entries()) {
    clock.advance(pause * 60_000 - 1)
    await settled()
    expect(sent).toHaveLength(at + 1)
    clock.advance(1)
    await expect.poll(() => sent).toHaveLength(at + 2)
    await settled()
  }
  expect(internalsOf(mock).behaviours[0]?.controls?.['GET']?.(null)).toMatchObject([
    { state: 'failed' },
  ])
})

it('stops after 410', async () => {
  const { sent, send } = createEndpoint(410)
  const { mock, clock } = shop({ send })
  mock.db.posts.update(1, { title: 'x' })
  await expect.poll(() => sent).toHaveLength(1)
  await settled()
  mock.db.posts.update(1, { title: 'y' })
  clock.advance(24 * 3_600_000)
  await settled()
  expect(sent).toHaveLength(1)
})

it('cancels retries with a reset', async () => {
  const { sent, send } = createEndpoint(500)
  const { mock, clock } = shop({ send })
  mock.db.posts.remove(1)
  await expect.poll(() => sent).toHaveLength(1)
  await settled()
  mock.reset()
  clock.advance(60_000)
  await settled()
  expect(sent).toHaveLength(1)
})

it('cancels retries that the log no longer shows with a reset', async () => {
  const { sent, send } = createEndpoint(500)
  const { mock, clock } = shop({ send, logSize: 1 })
  mock.db.posts.update(1, { title: 'x' })
  mock.db.posts.update(1, { title: 'y' })
  await expect.poll(() => sent).toHaveLength(2)
  await settled()
  expect(internalsOf(mock).behaviours[0]?.controls?.['GET']?.(null)).toMatchObject([
    { state: 'pending' },
  ])
  mock.reset()
  clock.advance(60_000)
  await settled()
  expect(sent).toHaveLength(2)
})

it('posts again after a reset before a 410', async () => {
  const answers: (() => void)[] = []
  const send: Send = () =>
    new Promise((resolve) => void answers.push(() => resolve({ status: 410 })))
  const { mock } = shop({ send })
  mock.db.posts.update(1, { title: 'x' })
  await expect.poll(() => answers).toHaveLength(1)
  mock.reset()
  answers[0]?.()
  await settled()
  mock.db.posts.update(1, { title: 'y' })
  await expect.poll(() => answers).toHaveLength(2)
})

it('sends over HTTP by default', async () => {
  let receive: (text: string) => void = () => {}
  const received = new Promise<string>((resolve) => {
    receive = resolve
  })
  const server = await listen((request, response) => {
    receive(`${request.method} ${request.url} ${request.headers['content-type']}`)
    response.end()
  })
  onTestFinished(server.close)
  const { mock } = shop({ endpoints: [{ url: `${server.url}/in`, secret }] })
  mock.db.posts.remove(1)
  expect(await received).toBe('POST /in application/json')
})

it.each([
  [{}, '"endpoints" is missing'],
  [{ endpoints: [{ uri: url, secret }] }, 'Did you mean "url"?'],
])('refuses the options %j', (options, message) => {
  expect(() => webhooks(options as never)).toThrow(message)
})

it('lists the deliveries of several behaviours', async () => {
  const { sent, send } = createEndpoint(204)
  const use = ['one', 'two'].map((name) =>
    webhooks({ endpoints: [{ url: `http://${name}.test`, secret }], send }),
  )
  const mock = createMock({ fixtures, use: [...use, sessions()] })
  mock.db.posts.remove(1)
  await mock.fetch('/posts', { method: 'POST', headers: { 'X-Mock-Session': 'a' } })
  await expect.poll(() => sent).toHaveLength(2)
  await settled()
  expect(internalsOf(mock).behaviours[0]?.controls?.['GET']?.(null)).toMatchObject([
    { url: 'http://one.test', state: 'delivered' },
    { url: 'http://two.test', state: 'delivered' },
  ])
})

/** Lets every promise go on that can. */
function settled(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

it('redacts secrets in the URLs of deliveries', async () => {
  const endpoints = [{ url: `${url}?token=S3CRET&a=1`, secret }]
  const send: Send = vi.fn((request) => {
    throw new Error(`Nobody is at ${request.url}.`)
  })
  const { mock } = shop({ send, endpoints, retries: [] })
  mock.db.posts.insert({ title: 'Two' })
  await expect.poll(() => send).toHaveBeenCalledOnce()
  const [behaviour] = internalsOf(mock).behaviours
  const shown = `${url}?token=[redacted]&a=1`
  expect(await behaviour?.controls?.['GET']?.(null)).toMatchObject([
    { url: shown, attempts: [{ error: `Error: Nobody is at ${shown}.` }] },
  ])
})

import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { auth, sessions } from '../../src/behaviours.ts'
import { supabaseRealtime } from '../../src/core/supabase/realtime.ts'
import { supabase } from '../../src/dialects.ts'
import { createMock } from '../../src/index.ts'
import { type SocketFace, socketFaces } from '../sockets.ts'

const fixtures = {
  todos: [
    { id: 1, task: 'read', done: false, user_id: 'ada' },
    { id: 2, task: 'write', done: true, user_id: 'bob' },
  ],
}
const create = () => createMock({ fixtures, dialect: supabase, use: [sessions()] })

const faces: SocketFace[] = []
afterEach(async () => {
  for (const face of faces.splice(0)) await face.close()
})

async function serveOn(name: string, mock: ReturnType<typeof create>): Promise<string> {
  const face = await socketFaces[name]?.(mock)
  if (!face) throw new Error(`There is no face "${name}".`)
  faces.push(face)
  return face.url
}

function connect(url: string, params: Record<string, string> = {}, vsn?: string): SupabaseClient {
  const transport = (globalThis.WebSocket ?? WebSocket) as never
  const client = createClient(url, 'any', {
    realtime: { transport, params, ...(vsn !== undefined && { vsn }) },
  })
  onTestFinished(() => void client.removeAllChannels().then(() => client.realtime.disconnect()))
  return client
}

/** Subscribes a channel and waits until the mock has confirmed it. */
function subscribed(channel: ReturnType<SupabaseClient['channel']>): Promise<string> {
  return new Promise((resolve) => {
    channel.subscribe((status) => resolve(status))
  })
}

/** A list that can be awaited for its next entries. */
function createInbox<T>() {
  const received: T[] = []
  let wake = (): void => undefined
  return {
    add(value: T) {
      received.push(value)
      wake()
    },
    async take(count: number): Promise<T[]> {
      while (received.length < count) await new Promise<void>((resolve) => (wake = resolve))
      return received.splice(0, count)
    },
  }
}

describe.each(Object.keys(socketFaces))('Realtime of supabase-js (%s)', (name) => {
  it.each(['1.0.0', '2.0.0'])('sends the changes of a table, version %s', async (vsn) => {
    const mock = create()
    const client = connect(await serveOn(name, mock), {}, vsn)
    const inbox = createInbox<unknown>()
    const add = (binding: string) => (payload: object) => inbox.add({ binding, ...payload })
    const table = { schema: 'public', table: 'todos' }
    const status = await subscribed(
      client
        .channel('room')
        .on('postgres_changes', { event: '*', schema: 'public' }, add('all'))
        .on('postgres_changes', { event: 'INSERT', ...table }, add('insert'))
        .on('postgres_changes', { event: 'UPDATE', ...table, filter: 'id=eq.1' }, add('one'))
        .on('postgres_changes', { event: 'DELETE', ...table }, add('delete')),
    )
    expect(status).toBe('SUBSCRIBED')
    mock.db.todos.insert({ task: 'swim', done: false, user_id: 'ada' })
    const usual = { ...table, errors: null, commit_timestamp: expect.any(String) }
    const inserted = { id: 3, task: 'swim', done: false, user_id: 'ada' }
    const insert = { ...usual, eventType: 'INSERT', new: inserted, old: {} }
    expect(await inbox.take(2)).toEqual([
      { binding: 'all', ...insert },
      { binding: 'insert', ...insert },
    ])
    mock.db.todos.update(2, { done: false })
    mock.db.todos.update(1, { done: true })
    const update = { ...usual, eventType: 'UPDATE' }
    const done = { ...update, new: { ...fixtures.todos[0], done: true }, old: { id: 1 } }
    expect(await inbox.take(3)).toEqual([
      { binding: 'all', ...update, new: { ...fixtures.todos[1], done: false }, old: { id: 2 } },
      { binding: 'all', ...done },
      { binding: 'one', ...done },
    ])
    mock.db.todos.remove(2)
    const removal = { ...usual, eventType: 'DELETE', new: {}, old: { id: 2 } }
    expect(await inbox.take(2)).toEqual([
      { binding: 'all', ...removal },
      { binding: 'delete', ...removal },
    ])
  })

  it('broadcasts to the others of a channel, to the sender, and over HTTP', async () => {
    const mock = create()
    const url = await serveOn(name, mock)
    const [ada, bob] = [connect(url), connect(url, {}, '1.0.0')]
    const inbox = createInbox<unknown>()
    const first = ada.channel('room', { config: { broadcast: { self: true, ack: true } } })
    first.on('broadcast', { event: 'move' }, ({ payload }) => inbox.add(['ada', payload]))
    const second = bob.channel('room')
    second.on('broadcast', { event: '*' }, ({ event, payload }) => inbox.add([event, payload]))
    await subscribed(first)
    await subscribed(second)
    expect(await first.send({ type: 'broadcast', event: 'move', payload: { x: 'ü', y: 1 } })).toBe(
      'ok',
    )
    expect(await inbox.take(2)).toEqual(
      expect.arrayContaining([
        ['ada', { x: 'ü', y: 1 }],
        ['move', { x: 'ü', y: 1 }],
      ]),
    )
    await second.send({ type: 'broadcast', event: 'move', payload: { x: 2 } })
    expect(await inbox.take(1)).toEqual([['ada', { x: 2 }]])
    await bob.channel('room').httpSend('move', { x: 3 })
    expect(await inbox.take(2)).toEqual(
      expect.arrayContaining([
        ['ada', { x: 3 }],
        ['move', { x: 3 }],
      ]),
    )
    const unsubscribed = ada.channel('elsewhere')
    const third = bob.channel('elsewhere')
    third.on('broadcast', { event: 'a' }, ({ payload }) => inbox.add(payload))
    await subscribed(third)
    expect(await unsubscribed.send({ type: 'broadcast', event: 'a', payload: { y: 4 } })).toBe('ok')
    expect(await inbox.take(1)).toEqual([{ y: 4 }])
  })

  it('relays bytes to clients of version 2', async () => {
    const mock = create()
    const url = await serveOn(name, mock)
    const [ada, bob] = [connect(url), connect(url)]
    const inbox = createInbox<unknown>()
    const second = bob.channel('bytes')
    second.on('broadcast', { event: 'raw' }, ({ payload }) =>
      inbox.add([...new Uint8Array(payload as ArrayBuffer)]),
    )
    await subscribed(second)
    const first = ada.channel('bytes')
    await subscribed(first)
    await first.send({ type: 'broadcast', event: 'raw', payload: Uint8Array.of(1, 2, 255).buffer })
    expect(await inbox.take(1)).toEqual([[1, 2, 255]])
  })

  it('shows who is present', async () => {
    const mock = create()
    const url = await serveOn(name, mock)
    const [ada, bob] = [connect(url), connect(url)]
    const inbox = createInbox<unknown>()
    const first = ada.channel('room', { config: { presence: { key: 'ada' } } })
    first
      .on('presence', { event: 'join' }, ({ key, newPresences }) =>
        inbox.add(['join', key, newPresences.map(({ at }) => ({ at }))]),
      )
      .on('presence', { event: 'leave' }, ({ key }) => inbox.add(['leave', key]))
    await subscribed(first)
    expect(await first.track({ at: 'desk' })).toBe('ok')
    const second = bob.channel('room', { config: { presence: { key: 'bob' } } })
    second.on('presence', { event: 'sync' }, () => inbox.add(Object.keys(second.presenceState())))
    await subscribed(second)
    expect(await inbox.take(2)).toEqual([['join', 'ada', [{ at: 'desk' }]], ['ada']])
    await second.track({ at: 'door' })
    expect(await inbox.take(2)).toEqual(
      expect.arrayContaining([
        ['join', 'bob', [{ at: 'door' }]],
        ['ada', 'bob'],
      ]),
    )
    await bob.removeChannel(second)
    expect(await inbox.take(1)).toEqual([['leave', 'bob']])
    await first.track({ at: 'window' })
    await first.untrack()
    expect(await inbox.take(3)).toEqual([
      ['join', 'ada', [{ at: 'window' }]],
      ['leave', 'ada'],
      ['leave', 'ada'],
    ])
  })

  it('keeps sessions apart, which a parameter names, with any dialect', async () => {
    const mock = createMock({ fixtures, use: [sessions(), supabaseRealtime()] })
    const url = await serveOn(name, mock)
    const inboxes = await Promise.all(
      ['a', 'b'].map(async (session) => {
        const inbox = createInbox<unknown>()
        const channel = connect(url, { 'mock-session': session }).channel('room')
        channel.on(
          'postgres_changes',
          { event: '*', schema: 'public', table: 'todos' },
          (payload) => inbox.add((payload.new as { task: string }).task),
        )
        await subscribed(channel)
        return inbox
      }),
    )
    for (const session of ['a', 'b']) {
      await mock.fetch(
        new Request('http://mock.test/todos', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-mock-session': session },
          body: JSON.stringify({ task: `of ${session}` }),
        }),
      )
    }
    expect(await inboxes[0]?.take(1)).toEqual(['of a'])
    expect(await inboxes[1]?.take(1)).toEqual(['of b'])
  })

  it('sends a user the records that its owner may see, from the login on', async () => {
    const users = [
      { id: 'ada', email: 'ada@example.org', password: 'secret' },
      { id: 'bob', email: 'bob@example.org', password: 'secret' },
    ]
    const mock = createMock({
      fixtures: { ...fixtures, users },
      dialect: supabase({ replicaIdentity: 'full' }),
      use: [auth({ users: 'users', owners: { todos: 'user_id' } })],
    })
    const client = connect(await serveOn(name, mock))
    const inbox = createInbox<unknown>()
    const channel = client
      .channel('room')
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'todos' },
        ({ new: to, old }) => inbox.add([to, old]),
      )
    const confirmed = createInbox<string>()
    channel.on('system', {}, ({ status, message }) => confirmed.add(`${status} ${message}`))
    await subscribed(channel)
    expect(await confirmed.take(1)).toEqual([expect.stringContaining('error Unable to subscribe')])
    const { error } = await client.auth.signInWithPassword({
      email: 'bob@example.org',
      password: 'secret',
    })
    expect(error).toBeNull()
    expect(await confirmed.take(1)).toEqual(['ok Subscribed to PostgreSQL'])
    mock.db.todos.update(1, { task: 'of ada' })
    mock.db.todos.update(2, { task: 'of bob' })
    const [, todo] = fixtures.todos
    expect(await inbox.take(1)).toEqual([[{ ...todo, task: 'of bob' }, todo]])
  })

  it('ends the subscriptions of a session that logs out, and refuses private channels', async () => {
    const users = [{ id: 'ada', email: 'ada@example.org', password: 'secret' }]
    const mock = createMock({
      fixtures: { ...fixtures, users },
      dialect: supabase,
      use: [auth({ users: 'users', owners: { todos: 'user_id' } })],
    })
    const url = await serveOn(name, mock)
    const client = connect(url)
    const refused = await new Promise((resolve) => {
      client
        .channel('secret', { config: { private: true } })
        .subscribe((status, error) => resolve([status, error?.message]))
    })
    expect(refused).toEqual(['CHANNEL_ERROR', expect.stringContaining('Unauthorized')])
    await client.removeAllChannels()
    const credentials = { email: 'ada@example.org', password: 'secret' }
    const { data } = await client.auth.signInWithPassword(credentials)
    const statuses = createInbox<string>()
    const table = { event: '*', schema: 'public', table: 'todos' } as const
    const confirmed = createInbox<string>()
    client
      .channel('own', { config: { private: true } })
      .on('postgres_changes', table, () => {})
      .on('system', {}, ({ status }) => confirmed.add(status))
      .subscribe((status) => statuses.add(status))
    expect(await statuses.take(1)).toEqual(['SUBSCRIBED'])
    expect(await confirmed.take(1)).toEqual(['ok'])
    // Another device logs all sessions out.
    await fetch(`${url}/auth/v1/logout?scope=global`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${data.session?.access_token}` },
    })
    expect(await statuses.take(1)).toEqual(['CHANNEL_ERROR'])
  })

  it('says which filter or table it cannot follow', async () => {
    const mock = create()
    const client = connect(await serveOn(name, mock))
    const system = createInbox<unknown>()
    const tables = [
      { table: 'todos', filter: 'id=equals.1' },
      { table: 'nope' },
      { table: 'todos', filter: 'task=in.(read,"a,b")' },
    ]
    const channel = client.channel('room')
    for (const table of tables) {
      channel.on('postgres_changes', { event: '*', schema: 'public', ...table }, () => {})
    }
    channel.on('system', {}, ({ status, message }) => system.add([status, message]))
    await subscribed(channel)
    expect(await system.take(3)).toEqual([
      ['error', expect.stringContaining('at character 1')],
      ['error', expect.stringContaining('"nope"')],
      ['ok', 'Subscribed to PostgreSQL'],
    ])
  })

  it('joins again after a reset', async () => {
    const mock = create()
    const statuses = createInbox<string>()
    const channel = connect(await serveOn(name, mock)).channel('room')
    const inbox = createInbox<unknown>()
    channel
      .on('postgres_changes', { event: '*', schema: 'public', table: 'todos' }, (change) =>
        inbox.add(change.eventType),
      )
      .subscribe((status) => statuses.add(status))
    expect(await statuses.take(1)).toEqual(['SUBSCRIBED'])
    mock.reset()
    expect(await statuses.take(2)).toEqual(['CHANNEL_ERROR', 'SUBSCRIBED'])
    mock.db.todos.remove(1)
    expect(await inbox.take(1)).toEqual(['DELETE'])
  })
})

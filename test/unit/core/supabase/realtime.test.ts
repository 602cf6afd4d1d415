import { afterEach, describe, expect, it } from 'vitest'

import { parseFilter } from '../../../../src/core/supabase/postgres-changes.ts'
import { supabase } from '../../../../src/dialects.ts'
import { createMock } from '../../../../src/index.ts'
import { type SocketFace, socketFaces } from '../../../sockets.ts'

const fixtures = { todos: [{ id: 1, task: 'read' }] }
const config = (more: object = {}) => ({ config: { presence: { enabled: false }, ...more } })
const ok = (topic: string, ref: string, response: object = {}) => ({
  topic,
  event: 'phx_reply',
  payload: { status: 'ok', response },
  ref,
})
const refused = (topic: string, ref: string, reason: unknown) => ({
  topic,
  event: 'phx_reply',
  payload: { status: 'error', response: { reason } },
  ref,
})
const joined = ok('realtime:a', '1', { postgres_changes: [] })
const join = { topic: 'realtime:a', event: 'phx_join', payload: config(), ref: '1', join_ref: '1' }

/** What a client of version 1 sends, and what it gets. */
const rows: [title: string, sent: object[], expected: unknown[]][] = [
  [
    'answers heartbeats',
    [{ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '7' }],
    [ok('phoenix', '7')],
  ],
  ['joins a topic', [join], [joined]],
  [
    'leaves a topic',
    [join, { topic: 'realtime:a', event: 'phx_leave', payload: {}, ref: '2' }],
    [
      joined,
      ok('realtime:a', '2'),
      { topic: 'realtime:a', event: 'phx_close', payload: {}, ref: null },
    ],
  ],
  [
    'refuses what was not joined, and unknown events',
    [
      { topic: 'realtime:b', event: 'broadcast', payload: {}, ref: '1' },
      join,
      { topic: 'realtime:a', event: 'constructor', payload: {}, ref: '2' },
    ],
    [
      refused('realtime:b', '1', 'unmatched topic'),
      joined,
      refused('realtime:a', '2', 'unmatched event'),
    ],
  ],
  [
    'echoes the members of each subscription, with an id',
    [
      {
        ...join,
        payload: config({ postgres_changes: [{ event: '*', schema: 'public', table: 'todos' }] }),
      },
    ],
    [
      ok('realtime:a', '1', {
        postgres_changes: [
          { event: '*', schema: 'public', table: 'todos', id: expect.any(Number) },
        ],
      }),
      {
        topic: 'realtime:a',
        event: 'system',
        payload: {
          extension: 'postgres_changes',
          status: 'ok',
          message: 'Subscribed to PostgreSQL',
          channel: 'a',
        },
        ref: null,
      },
    ],
  ],
  [
    'joins again in place of the channel before',
    [
      join,
      { ...join, ref: '2' },
      { topic: 'realtime:a', event: 'broadcast', payload: {}, ref: '3' },
    ],
    [joined, ok('realtime:a', '2', { postgres_changes: [] }), ok('realtime:a', '3')],
  ],
]

const faces: SocketFace[] = []
afterEach(async () => {
  for (const face of faces.splice(0)) await face.close()
})

describe.each(Object.keys(socketFaces))('frames of Realtime (%s)', (name) => {
  async function connect() {
    const face = await socketFaces[name]?.(createMock({ fixtures, dialect: supabase }))
    if (!face) throw new Error(`There is no face "${name}".`)
    faces.push(face)
    return face.open('/realtime/v1/websocket?apikey=any')
  }

  it.each(rows)('%s', async (_, sent, expected) => {
    const socket = await connect()
    for (const frame of sent) socket.send(frame)
    for (const frame of expected) expect(await socket.next()).toEqual(frame)
  })

  it.each([
    ['text', 'hello'],
    ['an object without a topic', '{"event":"phx_join"}'],
    ['a payload that is no object', '[null,null,"a","phx_join",7]'],
    ['bytes of no kind', Uint8Array.of(9, 1, 1)],
    ['bytes that end early', Uint8Array.of(3, 255, 255, 255, 255, 255, 1)],
    ['deep JSON', '['.repeat(5000)],
  ])('closes the socket after %s', async (_, message) => {
    const socket = await connect()
    socket.send(message)
    expect((await socket.closed)[0]).toBe(1008)
  })

  it('refuses more than 100 channels', async () => {
    const socket = await connect()
    for (let index = 0; index <= 100; index++) socket.send({ ...join, topic: `realtime:${index}` })
    const replies = await socket.until(
      ({ payload }: { payload: { status: string } }) => payload.status === 'error',
    )
    expect(replies).toHaveLength(101)
  })
})

describe('a filter of changes', () => {
  const row = { id: 7, task: 'a, b', done: false, at: null, tags: ['x'] }
  it.each([
    ['', true],
    ['id=eq.7', true],
    ['id=eq.07', true],
    ['id=eq.x', false],
    ['id=neq.7', false],
    ['id=not.eq.7', false],
    ['id=gt.6,id=lte.7', true],
    ['id=gt.7', false],
    ['id=in.(1,7)', true],
    ['task=eq."a, b"', true],
    ['task=in.("a, b",c)', true],
    ['task=like.a%', true],
    ['task=ilike.A_ B', true],
    ['done=is.false', true],
    ['done=eq.false', true],
    ['at=is.null', true],
    ['at=not.is.null', false],
    ['at=neq.1', false],
    ['at=isdistinct.1', true],
    ['missing=eq.1', false],
    ['tags=eq.{x}', true],
    ['tags=eq.{x,y}', false],
    ['task=match.^a', true],
    ['task=eq.a (b)', false],
    ['task=neq.a (b)', true],
    ['id=eq.x', false],
  ])('%s is %s', (text, expected) => {
    expect(parseFilter(text)(row)).toBe(expected)
  })

  it.each(['id', 'id=7', 'id=equals.7', 'id=cs.{1}', '__proto__=constructor.1'])(
    '%s is refused',
    (text) => {
      expect(() => parseFilter(text)).toThrow(/at character \d+/)
    },
  )

  it('takes linear time', () => {
    const start = performance.now()
    for (const text of [`id=eq.${'"'.repeat(20_000)}`, `task=in.(${'"a"'.repeat(20_000)}`]) {
      try {
        parseFilter(text)({ id: 1 })
      } catch {
        // Refused, in time.
      }
    }
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

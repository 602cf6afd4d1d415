import { MockError } from '../errors/mock-error.ts'
import type { Behaviour, MockContext } from '../http/contract/behaviour.ts'
import type { Exchange, Routed } from '../http/contract/exchange.ts'
import type { ChangeEvent, MockResponse, SocketListener } from '../http/contract/messages.ts'
import { asRecord, invalidBody, keepText, readJson } from '../http/resource/body.ts'
import { acceptSocket, type Socket } from '../http/response/sockets.ts'
import { isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { decode } from '../url/pattern.ts'
import { createFeed, type Feed } from '../behaviours/live/feed.ts'
import { textIn } from '../behaviours/supabase/accounts.ts'
import { roleOf } from '../behaviours/supabase/auth.ts'
import { type Frame, readFrame, toText } from './phoenix.ts'
import { parseFilter, toData } from './postgres-changes.ts'

/** Answers `/realtime/v1` as Realtime of Supabase does: changes of tables, broadcast and presence over Phoenix frames. */
export function supabaseRealtime({ replicaIdentity }: SupabaseRealtimeOptions = {}): Behaviour {
  return {
    name: 'supabase-realtime',
    create(world) {
      let feed: Feed | undefined
      const server: Realtime = {
        world,
        // Without a socket, no change is kept.
        get feed() {
          return (feed ??= createFeed(world, 1000))
        },
        channels: new Set(),
        isFull: replicaIdentity === 'full',
        lastNumber: 0,
      }
      const api = world.service.base + root
      return {
        routes: [
          { methods: ['GET'], path: `${root}/websocket`, sockets: true },
          { methods: ['POST'], path: `${root}/api/broadcast` },
          { methods: ['POST'], path: `${root}/api/broadcast/:topic/events/:event` },
        ],
        at: {
          // Before `auth`: Supabase lets every key connect, and checks each subscription.
          auth(exchange) {
            const { path, method } = exchange
            const below = path.startsWith(`${api}/`) ? path.slice(api.length) : ''
            if (method === 'GET' && below === '/websocket') {
              return acceptSocket(exchange, (socket) => serveChannels(server, exchange, socket))
            }
            const call = /^\/api\/broadcast(?:\/([^/]+)\/events\/([^/]+))?$/.exec(below)
            return method === 'POST' && call
              ? receiveBroadcast(server, exchange, call[1], call[2])
              : undefined
          },
          resource(exchange) {
            const { subscriber } = exchange.request
            if (!subscriber || !exchange.target) return undefined
            return server.feed.attach(exchange as Routed, subscriber)
          },
        },
      }
    },
  }
}

/** The options of {@link supabaseRealtime}. */
export interface SupabaseRealtimeOptions {
  /** Whether the old record of a change has only its primary key, or all fields. @default 'default' */
  replicaIdentity?: 'default' | 'full'
}

const root = '/realtime/v1'

/** The state of a mock that its sockets share. */
interface Realtime {
  world: MockContext
  readonly feed: Feed
  channels: Set<Channel>
  isFull: boolean
  /** Numbers the subscriptions, the clients and the presences. */
  lastNumber: number
}

/** A topic that a client has joined. */
interface Channel {
  topic: string
  /** The key by which others see the presence of the client. */
  key: string
  hasPresence: boolean
  receivesOwn: boolean
  isSecond: boolean
  /** The state that the client shares with others (`track`); undefined before. */
  meta: JsonRecord | undefined
  token: string
  bindings: readonly Binding[]
  /** End the subscriptions to tables. */
  stops: (() => void)[]
  push(event: string, payload: JsonRecord): void
  relay(bytes: Uint8Array): void
}

/** A subscription to changes; the client compares all members with those that it has sent. */
type Binding = JsonRecord & { id: number }

/** Serves the channels of one socket. */
function serveChannels(server: Realtime, exchange: Exchange, socket: Socket): SocketListener {
  const parameters = new Map(exchange.params)
  const isSecond = parameters.get('vsn')?.startsWith('2.') ?? false
  const apikey = parameters.get('apikey') ?? ''
  const joined = new Map<string, Channel>()
  const send = (frame: Frame): void => socket.send(toText(frame, isSecond))
  const reply = ({ topic, ref, joinRef }: Frame, response: JsonRecord = {}, status = 'ok'): void =>
    send({ topic, ref, joinRef, event: 'phx_reply', payload: { status, response } })

  function join(frame: Frame): void {
    const { topic, payload } = frame
    const config = recordIn(payload, 'config')
    const { postgres_changes: wanted } = config
    const previous = joined.get(topic)
    if (previous) leave(previous)
    const token = textIn(payload, 'access_token') || apikey
    if (
      config['private'] === true &&
      !/^(?:authenticated|service_role)$/.test(String(roleOf(token)))
    ) {
      const name = topic.replace(/^realtime:/, '')
      const reason = `Unauthorized: You do not have permissions to read from this Channel topic: ${name}`
      return reply(frame, { reason }, 'error')
    }
    const bindings = Array.isArray(wanted) ? wanted.filter(isRecord) : []
    if (joined.size >= maxChannels || bindings.length > maxChannels) {
      return reply(frame, { reason: 'ChannelRateLimitReached: Too many channels' }, 'error')
    }
    const channel: Channel = {
      topic,
      key: textIn(recordIn(config, 'presence'), 'key') || `client-${++server.lastNumber}`,
      hasPresence: recordIn(config, 'presence')['enabled'] !== false,
      receivesOwn: recordIn(config, 'broadcast')['self'] === true,
      isSecond,
      meta: undefined,
      token,
      bindings: bindings.map((binding) => ({ ...binding, id: ++server.lastNumber })),
      stops: [],
      push: (event, data) => send({ topic, event, payload: data }),
      relay: socket.send,
    }
    joined.set(topic, channel)
    server.channels.add(channel)
    reply(frame, { postgres_changes: [...channel.bindings] })
    follow(channel)
    if (channel.hasPresence) channel.push('presence_state', presenceOf(server, topic))
  }

  function follow(channel: Channel): void {
    const end = (): void => {
      leave(channel)
      channel.push('phx_error', {})
    }
    const headers = { apikey, authorization: `Bearer ${channel.token}` }
    const lastEventId = server.feed.lastEventId()
    for (const stop of channel.stops.splice(0)) stop()
    for (const binding of channel.bindings) {
      followTables(server, channel, binding, end, (path, listener) =>
        server.feed.subscribe(exchange, { path, search: '', headers, lastEventId }, listener),
      )
    }
  }

  function leave(channel: Channel): void {
    for (const stop of channel.stops.splice(0)) stop()
    track(server, channel, undefined)
    server.channels.delete(channel)
    joined.delete(channel.topic)
  }

  /** The events of a joined channel, by name. */
  const events: Readonly<Record<string, (channel: Channel, frame: Frame) => void>> = {
    phx_leave(channel, frame) {
      leave(channel)
      reply(frame)
      channel.push('phx_close', {})
    },
    access_token(channel, { payload }) {
      const token = textIn(payload, 'access_token') || apikey
      if (token === channel.token) return
      channel.token = token
      follow(channel)
    },
    broadcast(channel, frame) {
      broadcast(server, frame, channel)
      reply(frame)
    },
    presence(channel, frame) {
      const isTracked = textIn(frame.payload, 'event') === 'track'
      track(server, channel, isTracked ? recordIn(frame.payload, 'payload') : undefined)
      reply(frame)
    },
  }

  return {
    message(message) {
      const frame = readFrame(message, exchange)
      if (!frame) return socket.close(1008, 'The message is no frame of Phoenix.')
      const channel = joined.get(frame.topic)
      const handle = Object.hasOwn(events, frame.event) ? events[frame.event] : undefined
      if (frame.topic === 'phoenix') reply(frame)
      else if (frame.event === 'phx_join') join(frame)
      else if (channel && handle) handle(channel, frame)
      else reply(frame, { reason: channel ? 'unmatched event' : 'unmatched topic' }, 'error')
    },
    close() {
      for (const channel of joined.values()) leave(channel)
    },
  }
}

/** The most channels of a socket, and the most tables of a channel. */
const maxChannels = 100

/** Subscribes a channel to the changes of a table, or of all for `*`; `end` ends the channel, whose client then joins again. */
function followTables(
  { world, isFull }: Realtime,
  channel: Channel,
  binding: Binding,
  end: () => void,
  subscribe: (path: string, listener: Parameters<Feed['subscribe']>[2]) => () => void,
): void {
  const { service, clock } = world
  const { id } = binding
  const event = textIn(binding, 'event') || '*'
  const table = textIn(binding, 'table') || '*'
  const report = (status: string, message: string): void => {
    const [, name = channel.topic] = /^realtime:(.*)$/s.exec(channel.topic) ?? []
    channel.push('system', { extension: 'postgres_changes', status, message, channel: name })
  }
  let matches: (row: JsonRecord) => boolean
  try {
    matches = parseFilter(textIn(binding, 'filter'))
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    return report('error', error.message)
  }
  const names = service.resources.names()
  const tables = table === '*' ? names.filter((name) => !name.includes('/')) : [table]
  for (const name of tables) {
    const resource = service.resources.get(name)
    const idField = resource?.kind === 'collection' ? resource.idField : 'id'
    const notify = (change: ChangeEvent): void => {
      if (!('id' in change.change)) return end()
      const found = toData(change, { idField, isFull, time: clock.now() })
      if (!found || !matches(found.row)) return
      if (event === '*' || event.toUpperCase() === found.data.type)
        channel.push('postgres_changes', { ids: [id], data: found.data })
    }
    const stop = subscribe(
      `${service.base}${service.dialect.prefix ?? ''}/${encodeURIComponent(name)}`,
      {
        opened: () => report('ok', 'Subscribed to PostgreSQL'),
        notify,
        refused: ({ status }) =>
          report('error', `Unable to subscribe to changes of "${name}": GET is ${status}.`),
        ended: end,
      },
    )
    channel.stops.push(stop)
  }
}

/** Sends a broadcast to the clients of its topic; to its sender only if the channel says so. */
function broadcast(
  { channels }: Realtime,
  { topic, payload, bytes }: Pick<Frame, 'topic' | 'payload' | 'bytes'>,
  sender?: Channel,
): void {
  for (const channel of channels) {
    if (channel.topic !== topic || (channel === sender && !channel.receivesOwn)) continue
    if (!bytes) channel.push('broadcast', payload)
    else if (channel.isSecond) channel.relay(bytes)
  }
}

/** Receives broadcasts over HTTP: one for the topic and event of the path, else a list in the body. */
async function receiveBroadcast(
  server: Realtime,
  exchange: Exchange,
  topic: string | undefined,
  event = '',
): Promise<MockResponse> {
  const body = readJson((await keepText(exchange)) || '{}', exchange.service.limits)
  exchange.body = body
  const { messages } = topic === undefined ? asRecord(body) : {}
  const sent =
    topic === undefined
      ? Array.isArray(messages) && messages.filter(isRecord)
      : [{ topic: decode(topic), event: decode(event), payload: body }]
  if (!sent) {
    throw invalidBody('it has no list "messages"', 'Please send {"messages":[]}.')
  }
  for (const one of sent) {
    const payload = { type: 'broadcast', event: textIn(one, 'event'), payload: one.payload ?? {} }
    broadcast(server, { topic: `realtime:${textIn(one, 'topic')}`, payload })
  }
  return { status: 202, headers: [], body: null }
}

/** Changes what a client has tracked, and sends the difference to the clients of the topic. */
function track(server: Realtime, channel: Channel, meta: JsonRecord | undefined): void {
  const { topic, key, meta: previous } = channel
  if (!meta && !previous) return
  const toState = (one: JsonRecord | undefined): JsonRecord =>
    one ? { [key]: { metas: [one] } } : {}
  channel.meta = meta && { ...meta, phx_ref: `ref-${++server.lastNumber}` }
  const difference = { joins: toState(channel.meta), leaves: toState(previous) }
  for (const one of server.channels)
    if (one.topic === topic && one.hasPresence) one.push('presence_diff', difference)
}

/** The states that the clients of a topic share, by key. */
function presenceOf({ channels }: Realtime, topic: string): JsonRecord {
  const metas = new Map<string, Json[]>()
  for (const { topic: own, key, meta } of channels)
    if (own === topic && meta) metas.set(key, [...(metas.get(key) ?? []), meta])
  return Object.fromEntries(Array.from(metas, ([key, list]) => [key, { metas: list }]))
}

function recordIn(value: Readonly<Record<string, Json | undefined>>, name: string): JsonRecord {
  const member = value[name]
  return isRecord(member) ? member : {}
}

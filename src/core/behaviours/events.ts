import { checkOptions, isCount, isListOf, isOneOf, isText } from '../errors/check.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { Exchange, Routed } from '../http/contract/exchange.ts'
import type { ChangeEvent, MockResponse } from '../http/contract/messages.ts'
import type { OperationDescription, OperationFacts } from '../http/contract/description.ts'
import { acceptsEvents } from '../http/response/accept.ts'
import { acceptSocket } from '../http/response/sockets.ts'
import { createStream, streamHeaders } from '../http/response/streams.ts'
import { type Duration, isDuration, isSpan, toMilliseconds } from '../time/duration.ts'
import { isEndpointPath, toBase } from '../url/base.ts'
import { createFeed, repeat } from './live/feed.ts'
import { serveChanges } from './live/json-protocol.ts'
import { checkNames } from './shared/resources.ts'
import { takeParameter } from './shared/take-parameter.ts'

/**
 * Streams the changes of a collection or a record as server-sent events (HTML §9.2), in response to
 * requests with `Accept: text/event-stream`. A stream of a collection has the filters of its URL.
 * `Last-Event-ID` replays the missed events; if these are no longer known, the stream begins with `reset`.
 * With `protocol: 'websocket'`, a socket at `path` also sends the changes as JSON.
 * @throws MockError when an option is wrong
 * @example events()  // curl -N -H 'Accept: text/event-stream' localhost:3000/posts
 * @example events({ path: '/live', protocol: 'websocket' })  // npx wscat -c ws://localhost:3000/live
 */
export function events(options: EventOptions = {}): Behaviour {
  checkOptions('the options of "events"', options, {
    collections: isListOf(isText),
    replay: isCount,
    heartbeat: isSpan,
    retry: isDuration,
    protocol: isOneOf('sse', 'websocket'),
    path: isEndpointPath,
  })
  const { collections, replay = 1000, heartbeat = '15s', retry = '1s' } = options
  const { protocol = 'sse' } = options
  const path = toBase(options.path ?? '/live')
  const checkStore = checkNames('events', collections ?? [])
  const interval = toMilliseconds(heartbeat)
  const greeting = `retry: ${Math.round(toMilliseconds(retry))}\n\n`
  return {
    name: 'events',
    create(world) {
      const { clock, service } = world
      checkStore(world)
      const feed = createFeed(world, replay)

      function openStream(exchange: Routed): MockResponse {
        // The parameter is for clients that cannot send the header.
        const parameter = takeParameter(exchange, 'lastEventId')
        const stream = createStream()
        const { missed, stop } = feed.follow(
          exchange,
          exchange.headers['last-event-id'] ?? parameter,
          (event) => stream.write(toText(event)),
        )
        // One write: before a client reads, a stream takes no more writes after 1 MiB.
        stream.write(greeting + missed.map(toText).join(''))
        const stopHeartbeat = repeat(clock, interval, () => stream.write(': still here\n\n'))
        stream.onEnd(() => {
          stop()
          stopHeartbeat()
        })
        exchange.reasons.push('streams events')
        return { status: 200, headers: streamHeaders, body: stream.body }
      }

      const openSocket = (exchange: Exchange): MockResponse =>
        acceptSocket(exchange, (socket) => {
          const listener = serveChanges(exchange, feed, socket)
          const stopPings = repeat(clock, interval, () => socket.ping?.())
          return {
            message: listener.message,
            close(code, reason) {
              stopPings()
              listener.close(code, reason)
            },
          }
        })

      return {
        describe: () => ({
          operation: (operation) =>
            operation.kind === 'custom' && operation.path === path
              ? socketDescription
              : describeEvents(operation, collections),
        }),
        ...(protocol === 'websocket' && { routes: [{ methods: ['GET'], path, sockets: true }] }),
        at: {
          resource(exchange) {
            const { method, headers, target, request } = exchange
            if (method !== 'GET') return
            if (protocol === 'websocket' && exchange.path === service.base + path) {
              return openSocket(exchange)
            }
            const { subscriber } = request
            if (!subscriber && !acceptsEvents(headers)) return
            if (!target || target.kind === 'document') return
            if (collections && !collections.includes(target.resource.name)) return
            const routed = exchange as Routed
            return subscriber ? feed.attach(routed, subscriber) : openStream(routed)
          },
        },
      }
    },
  }
}

/** The options of {@link events}. */
export interface EventOptions {
  /** The streamed collections. @default all */
  collections?: readonly string[]
  /** The number of events kept for `Last-Event-ID`, of at most 64 MiB together. @default 1000 */
  replay?: number
  /** The interval of the comments that keep an idle connection open. @default '15s' */
  heartbeat?: Duration
  /** The reconnection time that the stream sends to clients. @default '1s' */
  retry?: Duration
  /** Whether a socket at `path` sends the changes too, as JSON. @default 'sse' */
  protocol?: 'sse' | 'websocket'
  /** The path of the socket, below the base. @default '/live' */
  path?: string
}

function toText({ id, change }: ChangeEvent): string {
  return `id: ${id}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`
}

const socketDescription: OperationDescription = {
  notes: ['Opens a WebSocket, over which the client subscribes to changes.'],
}

/** `collections` are the streamed collections; all if undefined. */
function describeEvents(
  { method, kind, resource }: OperationFacts,
  collections: readonly string[] | undefined,
): OperationDescription | undefined {
  const isStreamed = resource !== undefined && (collections?.includes(resource) ?? true)
  if (method !== 'GET' || kind === 'document' || kind === 'custom' || !isStreamed) return undefined
  const schema = { type: 'string' }
  const description = 'The last event that the client has received.'
  return {
    notes: ['With `Accept: text/event-stream`, streams the changes as server-sent events.'],
    parameters: [
      { name: 'Last-Event-ID', in: 'header', description, schema },
      { name: 'lastEventId', in: 'query', description, schema },
    ],
    responses: {
      200: {
        description: 'Or a stream of changes.',
        type: 'text/event-stream',
        schema,
        headers: { 'X-Accel-Buffering': { description: '`no` for a stream.', schema } },
      },
    },
  }
}

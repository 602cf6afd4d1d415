import { checkOptions, isCount, isListOf, isText } from '../../errors/check.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Routed } from '../../http/contract/exchange.ts'
import type { MockResponse } from '../../http/contract/messages.ts'
import { visibleMember } from '../../http/resource/visible.ts'
import { acceptsEvents } from '../../http/response/accept.ts'
import { createStream } from '../../http/response/event-stream.ts'
import type { Change } from '../../store/changes.ts'
import type { Clock } from '../../time/clock.ts'
import { type Duration, isDuration, isSpan, toMilliseconds } from '../../time/duration.ts'
import { checkNames } from '../shared/resources.ts'
import { memoryLimit } from '../shared/stored-map.ts'
import { takeParameter } from '../shared/take-parameter.ts'
import { describeEvents } from './describe.ts'
import { createHistory, type Event } from './history.ts'
import { createToVisible } from './visible-change.ts'

/**
 * Streams the changes of a collection or a record as server-sent events (HTML §9.2), in response to
 * requests with `Accept: text/event-stream`. A stream of a collection has the filters of its URL.
 * `Last-Event-ID` replays the missed events; if these are no longer known, the stream begins with `reset`.
 * @throws MockError when an option is wrong
 * @example events()  // curl -N -H 'Accept: text/event-stream' localhost:3000/posts
 */
export function events(options: EventOptions = {}): Behaviour {
  checkOptions('the options of "events"', options, {
    collections: isListOf(isText),
    replay: isCount,
    heartbeat: isSpan,
    retry: isDuration,
  })
  const { collections, replay = 1000, heartbeat = '15s', retry = '1s' } = options
  const checkStore = checkNames('events', collections ?? [])
  const interval = toMilliseconds(heartbeat)
  const greeting = `retry: ${Math.round(toMilliseconds(retry))}\n\n`
  return {
    name: 'events',
    create(world) {
      const { clock, service } = world
      checkStore(world)
      const maxSize = memoryLimit(world)
      const history = createHistory(replay, maxSize, clock.now().toString(36))
      const listeners = new Set<(event: Event) => void>()
      service.store.changes.subscribe((change) => {
        const event = history.add(change)
        for (const listener of listeners) listener(event)
      }, 'send a change to a stream')

      function open(exchange: Routed): MockResponse {
        // The parameter is for clients that cannot send the header.
        const parameter = takeParameter(exchange, 'lastEventId')
        const lastId = exchange.headers['last-event-id'] ?? parameter
        const toVisible = createToVisible(exchange)
        const stream = createStream()
        const render = (event: Event): string => {
          const change = toVisible(event.change)
          return change ? toText(history.idOf(event), change) : ''
        }
        const send = (event: Event): void => {
          const text = render(event)
          if (text !== '') stream.write(text)
        }
        const missed = lastId ? history.eventsAfter(lastId) : []
        // One write: before a client reads, a stream takes no more writes after 1 MiB.
        stream.write(greeting + missed.map(render).join(''))
        listeners.add(send)
        const stopHeartbeat = repeat(clock, interval, () => stream.write(': still here\n\n'))
        stream.onEnd(() => {
          listeners.delete(send)
          stopHeartbeat()
        })
        exchange.reasons.push('streams events')
        return { status: 200, headers: streamHeaders, body: stream.body }
      }

      return {
        describe: () => ({ operation: (operation) => describeEvents(operation, collections) }),
        at: {
          resource(exchange) {
            const { method, headers, target } = exchange
            if (method !== 'GET' || !acceptsEvents(headers) || target?.kind === 'document') return
            if (!target || (collections && !collections.includes(target.resource.name))) return
            if (target.kind === 'member') {
              visibleMember(exchange, target.resource, target.id, target.parent)
            } else if (target.kind === 'collection' && target.parent) {
              visibleMember(exchange, target.parent.collection, target.parent.id)
            }
            return open(exchange as Routed)
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
}

const streamHeaders: MockResponse['headers'] = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['X-Accel-Buffering', 'no'],
]

/** Writes an event: its name is the type of the change, its data the change as JSON. */
function toText(id: string, change: Change): string {
  return `id: ${id}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`
}

/** Calls back at an interval, in the background. Returns a function that stops the calls. */
function repeat(clock: Clock, milliseconds: number, callback: () => void): () => void {
  let stop = clock.after(milliseconds, again, true)
  function again(): void {
    callback()
    stop = clock.after(milliseconds, again, true)
  }
  return () => stop()
}

import { checkOptions, isCount, isListOf, isText } from '../errors/check.ts'
import type { Clock } from '../time/clock.ts'
import { type Duration, isDuration, isSpan, toMilliseconds } from '../time/duration.ts'
import { qualityOf } from '../http/response/accept.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { Exchange, Routed } from '../http/contract/exchange.ts'
import type { MockResponse } from '../http/contract/messages.ts'
import { viewOf } from '../http/resource/record-view.ts'
import { visibleMember } from '../http/resource/visible.ts'
import type { Target } from '../http/routing/target.ts'
import type { JsonRecord } from '../json/json.ts'
import { keysIn } from '../store/relations/relations.ts'
import type { Change } from '../store/changes.ts'
import { createStream } from '../http/response/event-stream.ts'
import { checkNames } from './shared/resources.ts'

/** Which changes are streamed, and how. */
export interface EventOptions {
  /** Only changes of these collections. @default all */
  collections?: readonly string[]
  /**
   * How many events are kept for those who come back with `Last-Event-ID`, of at most 64 MiB together.
   * @default 1000
   */
  replay?: number
  /** How often a comment keeps an idle connection open. @default '15s' */
  heartbeat?: Duration
  /** When a client may connect again, which it is told. @default '1s' */
  retry?: Duration
}

/** One event: its number, and the change that it tells. */
interface Event {
  id: number
  change: Change
}

/** An event for those who come back, and how much it takes, in characters. */
interface Kept extends Event {
  size: number
}

/** How much is kept of events, in characters. */
const ROOM = 64 * 1024 * 1024

/**
 * Streams the changes of a collection or of one record as server-sent events (HTML §9.2) to whoever
 * asks for `text/event-stream`; `Last-Event-ID` replays what was missed.
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
  const pause = toMilliseconds(heartbeat)
  const greeting = `retry: ${toMilliseconds(retry)}\n\n`
  return {
    name: 'events',
    create(world) {
      const { clock, service } = world
      checkStore(service.store)
      const past: Kept[] = []
      let held = 0
      let last = 0
      const listeners = new Set<(event: Event) => void>()
      service.store.changes.subscribe((change) => {
        const event = { id: ++last, change }
        const size = JSON.stringify(change).length
        past.push({ ...event, size })
        held += size
        while (past.length > replay || held > ROOM) held -= past.shift()?.size ?? 0
        for (const listener of listeners) listener(event)
      }, 'tell a stream of a change')

      function open(exchange: Routed): MockResponse {
        const isWanted = createFilter(exchange.target)
        const stream = createStream()
        const read = (event: Event): string => {
          const change = isWanted(event) && toSeen(event.change, exchange)
          return change ? toText({ id: event.id, change }) : ''
        }
        const tell = (event: Event): void => {
          const text = read(event)
          if (text !== '') stream.write(text)
        }
        const seen = Number(
          exchange.headers['last-event-id'] ??
            exchange.params.find(([name]) => name === 'lastEventId')?.[1] ??
            last,
        )
        const missed = past.filter(({ id }) => id > seen)
        // All at once, as nobody has begun to read yet.
        stream.write(greeting + missed.map(read).join(''))
        listeners.add(tell)
        const stopHeartbeat = repeat(clock, pause, () => stream.write(': still here\n\n'))
        stream.onEnd(() => {
          listeners.delete(tell)
          stopHeartbeat()
        })
        exchange.reasons.push('streams events')
        return { status: 200, headers: streamHeaders, body: stream.body }
      }

      return {
        at: {
          resource(exchange) {
            if (!asksForEvents(exchange) || exchange.target?.kind === 'document') return
            const { target } = exchange
            if (!target || (collections && !collections.includes(target.resource.name))) return
            if (target.kind === 'member')
              visibleMember(exchange, target.resource, target.id, target.parent)
            else if (target.kind === 'collection' && target.parent)
              visibleMember(exchange, target.parent.collection, target.parent.id)
            return open(exchange as Routed)
          },
        },
      }
    },
  }
}

const streamHeaders: MockResponse['headers'] = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['X-Accel-Buffering', 'no'],
]

/** Whether events are what a request would like best. */
function asksForEvents({ method, headers }: Exchange): boolean {
  const accept = headers['accept']
  if (method !== 'GET' || !accept) return false
  const events = qualityOf(accept, 'text/event-stream')
  return events > 0 && events >= qualityOf(accept, 'application/json')
}

/** Whether an event is about what a stream was opened for; a reset is about everything. */
function createFilter(target: Target): (event: Event) => boolean {
  const { name } = target.resource
  const id = target.kind === 'member' ? target.id : undefined
  return ({ change }) => {
    if (change.type === 'reset') return true
    if (change.collection !== name) return false
    return id === undefined || !('id' in change) || change.id === id
  }
}

/** A change as the one who listens may see it; undefined where it is about a record that they do not. */
function toSeen(change: Change, exchange: Exchange): Change | undefined {
  if (change.type === 'reset' || change.type === 'reloaded') return change
  const { collection, id = '' } = change
  const parent = exchange.target?.kind === 'collection' ? exchange.target.parent : undefined
  const relation = parent?.related.relation
  const see = (one: JsonRecord): JsonRecord | undefined => {
    const isElsewhere = parent && relation && !keysIn(one, relation).includes(parent.id)
    return isElsewhere ? undefined : viewOf(exchange, collection).visible(one)
  }
  const record = change.type === 'deleted' ? undefined : see(change.record)
  const previous = change.type === 'created' ? undefined : see(change.previous)
  if (record && previous) return { ...change, type: 'updated', record, previous }
  if (record) return { type: 'created', collection, id, record }
  return previous && { type: 'deleted', collection, id, previous }
}

/** An event as it is written: the type of the change names it, and its data is the change. */
function toText({ id, change }: Event): string {
  return `id: ${id}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`
}

function repeat(clock: Clock, milliseconds: number, callback: () => void): () => void {
  // Nobody's program goes on for it.
  let stop = clock.after(milliseconds, again, true)
  function again(): void {
    callback()
    stop = clock.after(milliseconds, again, true)
  }
  return () => stop()
}

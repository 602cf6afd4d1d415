import { checkOptions, isCount, isListOf, isText } from '../errors/check.ts'
import type { Clock } from '../time/clock.ts'
import { type Duration, isDuration, isSpan, toMilliseconds } from '../time/duration.ts'
import { acceptsEvents } from '../http/response/accept.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { OperationDescription, OperationFacts } from '../http/contract/description.ts'
import type { Exchange, Routed } from '../http/contract/exchange.ts'
import type { MockResponse } from '../http/contract/messages.ts'
import { createListFilter } from '../http/resource/list.ts'
import { viewOf } from '../http/resource/record-view.ts'
import { visibleMember } from '../http/resource/visible.ts'
import type { Target } from '../http/routing/target.ts'
import type { JsonRecord } from '../json/json.ts'
import { keysIn } from '../store/relations/relations.ts'
import type { Change } from '../store/changes.ts'
import { createStream } from '../http/response/event-stream.ts'
import { checkNames } from './shared/resources.ts'

/** The options of {@link events}, the behaviour that streams changes of records as server-sent events. */
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

/** A change, and its number among the changes of the mock. */
interface Event {
  number: number
  change: Change
}

/** An event that can be replayed. */
interface PastEvent extends Event {
  /** The length of the change as JSON, in characters. */
  size: number
}

/** The largest total size of the past events, in characters. */
const MAX_HISTORY = 64 * 1024 * 1024

/** The largest total size where the mock has storage, in an object of a worker, whose memory is small. */
const MAX_STORED_HISTORY = 4 * 1024 * 1024

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
  const pause = toMilliseconds(heartbeat)
  const greeting = `retry: ${Math.round(toMilliseconds(retry))}\n\n`
  return {
    name: 'events',
    create(world) {
      const { clock, service } = world
      checkStore(world)
      const maxSize = world.stored ? MAX_STORED_HISTORY : MAX_HISTORY
      const past: PastEvent[] = []
      let pastSize = 0
      let last = 0
      // Ids contain the start time, so that an id from before a restart is unknown.
      const run = clock.now().toString(36)
      const toId = (number: number): string => `${run}-${number}`
      const listeners = new Set<(event: Event) => void>()
      service.store.changes.subscribe((change) => {
        const event = { number: ++last, change }
        const size = JSON.stringify(change).length
        past.push({ ...event, size })
        pastSize += size
        while (past.length > replay || pastSize > maxSize) pastSize -= past.shift()?.size ?? 0
        for (const listener of listeners) listener(event)
      }, 'send a change to a stream')

      /** The events after the one with this id; a `reset` if some of them, or the id, are not known. */
      function missedSince(id: string): readonly Event[] {
        const at = past.findIndex(({ number }) => toId(number - 1) === id)
        if (at >= 0) return past.slice(at)
        return id === toId(last) ? [] : [{ number: last, change: { type: 'reset' } }]
      }

      function open(exchange: Routed): MockResponse {
        const received = takeLastEventId(exchange)
        const concerns = createFilter(exchange.target)
        const toVisible = createToVisible(exchange)
        const stream = createStream()
        const render = (event: Event): string => {
          const change = concerns(event) && toVisible(event.change)
          return change ? toText(toId(event.number), change) : ''
        }
        const send = (event: Event): void => {
          const text = render(event)
          if (text !== '') stream.write(text)
        }
        const missed = received ? missedSince(received) : []
        // One write: before a client reads, a stream takes no more writes after 1 MiB.
        stream.write(greeting + missed.map(render).join(''))
        listeners.add(send)
        const stopHeartbeat = repeat(clock, pause, () => stream.write(': still here\n\n'))
        stream.onEnd(() => {
          listeners.delete(send)
          stopHeartbeat()
        })
        exchange.reasons.push('streams events')
        return { status: 200, headers: streamHeaders, body: stream.body }
      }

      return {
        describe: () => ({ operation: (operation) => describeOperation(operation, collections) }),
        at: {
          resource(exchange) {
            const { method, headers, target } = exchange
            if (method !== 'GET' || !acceptsEvents(headers) || target?.kind === 'document') return
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

/** Describes the stream of changes that a GET can ask for. */
function describeOperation(
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

/** Creates the filter for the events of a target; a reset concerns every target. */
function createFilter(target: Target): (event: Event) => boolean {
  const { name } = target.resource
  const id = target.kind === 'member' ? target.id : undefined
  return ({ change }) => {
    if (change.type === 'reset') return true
    if (change.collection !== name) return false
    return id === undefined || !('id' in change) || change.id === id
  }
}

/** The id of the last event that the client has received. Its parameter is removed, as it is no filter. */
function takeLastEventId(exchange: Exchange): string | undefined {
  const isOwn = ([name]: Exchange['params'][number]): boolean => name === 'lastEventId'
  const own = exchange.params.find(isOwn)
  exchange.params = exchange.params.filter((parameter) => !isOwn(parameter))
  return exchange.headers['last-event-id'] ?? own?.[1]
}

/**
 * Creates the function that converts a change to the view of the client: a record that becomes visible, or
 * enters the filter of the URL, is `created`; a record that becomes hidden, or leaves the filter, is
 * `deleted`. Undefined for a record that is not in the view before nor after.
 * @throws MockError 400 for a malformed parameter
 */
function createToVisible(exchange: Routed): (change: Change) => Change | undefined {
  const { target } = exchange
  const isCollection = target.kind === 'collection'
  const relation = isCollection ? target.parent?.related.relation : undefined
  const passes = isCollection ? createListFilter(exchange as Routed<typeof target>) : () => true
  const toVisibleRecord = (record: JsonRecord): JsonRecord | undefined => {
    const isElsewhere =
      isCollection && relation && !keysIn(record, relation).includes(target.parent?.id ?? '')
    if (isElsewhere) return undefined
    const visible = viewOf(exchange, target.resource.name).visible(record)
    return visible && passes(visible) ? visible : undefined
  }
  return (change) => {
    if (change.type === 'reset' || change.type === 'reloaded') return change
    const { collection, id = '' } = change
    const record = change.type === 'deleted' ? undefined : toVisibleRecord(change.record)
    const previous = change.type === 'created' ? undefined : toVisibleRecord(change.previous)
    if (record && previous) return { ...change, type: 'updated', record, previous }
    if (record) return { type: 'created', collection, id, record }
    return previous && { type: 'deleted', collection, id, previous }
  }
}

/** Writes an event: its name is the type of the change, its data the change as JSON. */
function toText(id: string, change: Change): string {
  return `id: ${id}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`
}

function repeat(clock: Clock, milliseconds: number, callback: () => void): () => void {
  // The last argument unrefs the timer, so that it does not keep the process alive.
  let stop = clock.after(milliseconds, again, true)
  function again(): void {
    callback()
    stop = clock.after(milliseconds, again, true)
  }
  return () => stop()
}

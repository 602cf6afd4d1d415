import { checkOptions, isCount, isListOf, isText } from '../errors/check.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { Routed } from '../http/contract/exchange.ts'
import type { MockResponse } from '../http/contract/messages.ts'
import { visibleMember, viewOf, withoutHidden } from '../http/resource/record-view.ts'
import { acceptsEvents } from '../http/response/accept.ts'
import { createStream } from '../http/response/streams.ts'
import type { Change } from '../store/store.ts'
import type { Clock } from '../time/clock.ts'
import { type Duration, isDuration, isSpan, toMilliseconds } from '../time/duration.ts'
import { createListFilter } from '../http/resource/list.ts'
import type { Target } from '../http/routing/target.ts'
import type { JsonRecord } from '../json/json.ts'
import { keysIn } from '../store/relations.ts'
import type { OperationDescription, OperationFacts } from '../http/contract/description.ts'
import { checkNames } from './shared/resources.ts'
import { memoryLimit } from './shared/world-state.ts'
import { takeParameter } from './shared/take-parameter.ts'

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

function toText(id: string, change: Change): string {
  return `id: ${id}\nevent: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`
}

function repeat(clock: Clock, milliseconds: number, callback: () => void): () => void {
  let stop = clock.after(milliseconds, again, true)
  function again(): void {
    callback()
    stop = clock.after(milliseconds, again, true)
  }
  return () => stop()
}

/**
 * Converts a change to what the client of a stream sees, or undefined: a record that enters the view is
 * `created`, a record that leaves the view is `deleted`.
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
    if (!visible || !passes(visible)) return undefined
    return withoutHidden(exchange, target.resource.name, visible)
  }
  return (change) => {
    if (!isChangeOf(target, change)) return undefined
    if (change.type === 'reset' || change.type === 'reloaded') return change
    const { collection, id = '' } = change
    const record = change.type === 'deleted' ? undefined : toVisibleRecord(change.record)
    const previous = change.type === 'created' ? undefined : toVisibleRecord(change.previous)
    if (record && previous) return { ...change, type: 'updated', record, previous }
    if (record) return { type: 'created', collection, id, record }
    return previous && { type: 'deleted', collection, id, previous }
  }
}

/** Whether a change affects a target; a reset affects every target. */
function isChangeOf(target: Target, change: Change): boolean {
  if (change.type === 'reset') return true
  if (change.collection !== target.resource.name) return false
  return target.kind !== 'member' || !('id' in change) || change.id === target.id
}

/** Keeps the last changes; ids begin with `run`, so that an id from before a restart is unknown. */
function createHistory(maxCount: number, maxSize: number, run: string) {
  const past: (Event & { size: number })[] = []
  let totalSize = 0
  let last = 0
  const toId = (number: number): string => `${run}-${number}`
  return {
    /** Adds a change as the next event, and removes the oldest events above the limits. */
    add(change: Change): Event {
      const event = { number: ++last, change }
      const size = JSON.stringify(change).length
      past.push({ ...event, size })
      totalSize += size
      while (past.length > maxCount || totalSize > maxSize) totalSize -= past.shift()?.size ?? 0
      return event
    },
    idOf: ({ number }: Event): string => toId(number),
    /** Returns the events after an event; a `reset` if the history lacks its id or some events. */
    eventsAfter(id: string): readonly Event[] {
      const start = past.findIndex(({ number }) => toId(number - 1) === id)
      if (start >= 0) return past.slice(start)
      return id === toId(last) ? [] : [{ number: last, change: { type: 'reset' } }]
    },
  }
}

interface Event {
  number: number
  change: Change
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

import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange, Routed } from '../../http/contract/exchange.ts'
import {
  andThen,
  type ChangeEvent,
  type ChangeListener,
  isStream,
  type MockRequest,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { createListFilter } from '../../http/resource/list.ts'
import { visibleMember, viewOf, withoutHidden } from '../../http/resource/record-view.ts'
import { createStream } from '../../http/response/streams.ts'
import type { Target } from '../../http/routing/target.ts'
import type { JsonRecord } from '../../json/json.ts'
import { keysIn } from '../../store/relations.ts'
import type { Change } from '../../store/store.ts'
import type { Clock } from '../../time/clock.ts'
import { parseParams } from '../../url/params.ts'
import { memoryLimit } from '../shared/world-state.ts'

/** Creates the changes of a mock as its requests see them, with the last `replay` changes for clients that were away. */
export function createFeed(world: MockContext, replay: number): Feed {
  const { clock, service } = world
  const history = createHistory(replay, memoryLimit(world), clock.now().toString(36))
  const listeners = new Set<(event: StoredEvent) => void>()
  service.store.changes.subscribe((change) => {
    const event = history.add(change)
    for (const listener of listeners) listener(event)
  }, 'send a change to a stream')

  function follow(
    exchange: Routed,
    lastEventId: string | undefined,
    notify: (event: ChangeEvent) => void,
  ): Following {
    checkParent(exchange)
    const toVisible = createToVisible(exchange)
    const toEvent = ({ number, change: stored }: StoredEvent): ChangeEvent[] => {
      const change = toVisible(stored)
      return change ? [{ id: history.toId(number), change, stored }] : []
    }
    const listener = (event: StoredEvent): void => toEvent(event).forEach(notify)
    const missed = lastEventId ? history.eventsAfter(lastEventId).flatMap(toEvent) : []
    listeners.add(listener)
    return { missed, stop: () => void listeners.delete(listener) }
  }

  return {
    lastEventId: history.lastId,
    follow,
    attach(exchange, subscriber) {
      const { missed, stop } = follow(exchange, exchange.headers['last-event-id'], (event) =>
        subscriber.notify(event),
      )
      subscriber.opened(history.lastId(), exchange.ignored ?? [])
      for (const event of missed) subscriber.notify(event)
      // Nothing is written: the stream ends with the session or the login, and with it the subscription.
      const stream = createStream()
      stream.onEnd(stop)
      exchange.reasons.push('sends changes to a socket')
      return { status: 200, headers: [['Content-Type', 'text/event-stream']], body: stream.body }
    },
    subscribe(exchange, { path, search, headers, lastEventId }, listener) {
      let isAttached = false
      let isOver = false
      const finish = (notify: () => void): void => {
        if (!isOver) notify()
        isOver = true
      }
      const sent = toSocketRequest(exchange, path, { ...headers, 'last-event-id': lastEventId })
      const request: MockRequest = {
        ...sent.request,
        search: search + credentialsOf(exchange, search === '' ? '?' : '&'),
        subscriber: {
          opened(...known) {
            isAttached = true
            if (!isOver) listener.opened(...known)
          },
          notify: (event) => isOver || listener.notify(event),
        },
      }
      let { abort } = sent
      const begin = (response: MockResponse): void => {
        const stream = isStream(response.body) ? response.body[Symbol.asyncIterator]() : undefined
        abort = () => void stream?.return?.()
        if (!stream || !isAttached) finish(() => listener.refused(response))
        if (isOver) return abort()
        void stream?.next().then(() => finish(listener.ended))
      }
      void andThen(world.host().handle(request, exchange.access), begin)
      return () => {
        isOver = true
        abort()
      }
    },
  }
}

/** The changes of a mock; see {@link createFeed}. */
export interface Feed {
  /** The id of the last change so far. */
  lastEventId(): string
  /**
   * Notifies of the changes of a target that a request may see, and gives those after `lastEventId`.
   * @throws MockError 404 for a missing record, 400 for a malformed parameter
   */
  follow(
    exchange: Routed,
    lastEventId: string | undefined,
    notify: (event: ChangeEvent) => void,
  ): Following
  /** Answers a request of `subscribe`, in the stage `resource` of the behaviour that has the feed. */
  attach(exchange: Routed, subscriber: ChangeListener): MockResponse
  /**
   * Subscribes the client of a socket to a path, by a GET with the credentials of its handshake: rules, faults, delays,
   * logins, permissions and limits apply, and the log lists it. Returns a function that ends the subscription.
   */
  subscribe(exchange: Exchange, wanted: Wanted, listener: SubscriptionListener): () => void
}

/** A target whose changes are followed. */
interface Following {
  /** The changes after the last event that the client has received. */
  missed: readonly ChangeEvent[]
  stop(): void
}

/** The path of a subscription, with the base, and its filters. */
export interface Wanted {
  path: string
  /** The query with its question mark, or an empty string. */
  search: string
  /** Headers besides those of the handshake, such as other credentials. */
  headers?: MockRequest['headers']
  /** The last event that the client has received. */
  lastEventId?: string | undefined
}

/** The functions that a subscription calls; none after it has ended. */
export interface SubscriptionListener extends ChangeListener {
  /** Called instead of `opened` when the mock does not stream the path to the client. */
  refused(response: MockResponse): void
  /** Called when the mock ends the subscription, such as at a logout. */
  ended(): void
}

/** Calls back on the clock, again and again. Returns a function that stops this. */
export function repeat(clock: Clock, milliseconds: number, callback: () => void): () => void {
  let stop = clock.after(milliseconds, again, true)
  function again(): void {
    callback()
    stop = clock.after(milliseconds, again, true)
  }
  return () => stop()
}

/** Creates a GET with the headers of a handshake and others, and a function that aborts the request. */
export function toSocketRequest(
  exchange: Exchange,
  path: string,
  headers: MockRequest['headers'],
): { request: MockRequest; abort(this: void): void } {
  let cancel = (): void => undefined
  const request: MockRequest = {
    ...exchange.request,
    method: 'GET',
    path,
    search: credentialsOf(exchange, '?'),
    headers: { ...toPlain(exchange.headers), ...headers },
    received: undefined,
    onAbort(listener) {
      cancel = listener
      return () => undefined
    },
  }
  return { request, abort: () => cancel() }
}

/** The headers of a handshake without those of its protocol. */
function toPlain(headers: MockRequest['headers']): MockRequest['headers'] {
  const isKept = ([name]: [string, unknown]): boolean =>
    !/^(?:accept|connection|upgrade|sec-websocket-.*)$/.test(name)
  return Object.fromEntries(Object.entries(headers).filter(isKept))
}

/** The parameters of a handshake that `auth` has read as credentials. */
function credentialsOf({ request, params, service }: Exchange, separator: string): string {
  const left = new Set(params.map(([name]) => name))
  const credentials = parseParams(request.search, service.limits.maxParams).filter(
    ([name]) => !left.has(name),
  )
  if (credentials.length === 0) return ''
  return separator + credentials.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
}

/** @throws MockError 404 when the record of a target, or the parent of a list, is missing */
function checkParent(exchange: Routed): void {
  const { target } = exchange
  if (target.kind === 'member') visibleMember(exchange, target.resource, target.id, target.parent)
  else if (target.kind === 'collection' && target.parent) {
    visibleMember(exchange, target.parent.collection, target.parent.id)
  }
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
  const past: (StoredEvent & { size: number })[] = []
  let totalSize = 0
  let last = 0
  const toId = (number: number): string => `${run}-${number}`
  return {
    /** Adds a change as the next event, and removes the oldest events above the limits. */
    add(change: Change): StoredEvent {
      const event = { number: ++last, change }
      const size = JSON.stringify(change).length
      past.push({ ...event, size })
      totalSize += size
      while (past.length > maxCount || totalSize > maxSize) totalSize -= past.shift()?.size ?? 0
      return event
    },
    toId,
    lastId: (): string => toId(last),
    /** Returns the events after an event; a `reset` if the history lacks its id or some events. */
    eventsAfter(id: string): readonly StoredEvent[] {
      const start = past.findIndex(({ number }) => toId(number - 1) === id)
      if (start >= 0) return past.slice(start)
      return id === toId(last) ? [] : [{ number: last, change: { type: 'reset' } }]
    },
  }
}

interface StoredEvent {
  number: number
  change: Change
}

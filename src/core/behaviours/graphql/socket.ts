import { toMessage } from '../../errors/error-details.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import {
  type BodyStream,
  headerOf,
  isStream,
  type MockResponse,
  type SocketListener,
} from '../../http/contract/messages.ts'
import { readMessage, type Socket } from '../../http/response/sockets.ts'
import { isRecord, type Json } from '../../json/json.ts'
import { toAscii } from '../../text/to-ascii.ts'
import { repeat, toSocketRequest } from '../live/feed.ts'

/** The subprotocol of GraphQL over WebSocket. */
export const subprotocol = 'graphql-transport-ws'

/**
 * Serves a socket of GraphQL over WebSocket. Each operation is a request with the headers of the handshake and of
 * `connection_init`, so that rules, faults, delays, logins and the log apply, and sends the events of its response.
 */
export function serveOperations(
  { clock, host }: MockContext,
  exchange: Exchange,
  socket: Socket,
): SocketListener {
  const operations = new Map<string, () => void>()
  let initial: Record<string, string> | undefined
  const send = (frame: Record<string, unknown>): void => socket.send(JSON.stringify(frame))
  const close = (code: number, reason: string): void => socket.close(code, reason)
  const stopInit = clock.after(10_000, () => close(4408, 'Connection initialisation timeout'), true)
  const stopPings = repeat(clock, 15_000, () => socket.ping?.())

  async function run(id: string, payload: Json): Promise<void> {
    let stop = (): void => undefined
    let isOver = false
    operations.set(id, () => {
      isOver = true
      stop()
    })
    const { request, abort } = toSocketRequest(exchange, exchange.path, {
      ...initial,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    })
    stop = abort
    const text = (): string => JSON.stringify(payload)
    const response = await host().handle({ ...request, method: 'POST', text }, exchange.access)
    const { status, body } = response
    const chunks = (isStream(body) ? body : toStream(body))[Symbol.asyncIterator]()
    stop = () => void chunks.return?.()
    if (isOver) return stop()
    if (status === 0) return close(1011, 'A fault has dropped the connection.')
    let rest = ''
    for (let one = await chunks.next(); !one.done; one = await chunks.next()) {
      const events = (rest + (typeof one.value === 'string' ? one.value : '')).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of isEvents(response) ? events : []) {
        const [, result] = /^event: next\ndata: (.*)$/s.exec(event) ?? []
        if (result === undefined || isOver) continue
        const parsed = JSON.parse(result) as { data?: unknown; errors?: unknown }
        if ('data' in parsed) {
          send({ id, type: 'next', payload: parsed })
          continue
        }
        operations.delete(id)
        return send({ id, type: 'error', payload: parsed.errors })
      }
    }
    if (isOver) return
    operations.delete(id)
    if (isEvents(response)) send({ id, type: 'complete' })
    else send({ id, type: 'error', payload: toErrors(status, rest) })
  }

  /** The messages of a client, by type. */
  const messages: Readonly<
    Record<string, (message: Readonly<Record<string, Json | undefined>>, id: string) => void>
  > = {
    connection_init({ payload }) {
      if (initial) return close(4429, 'Too many initialisation requests')
      stopInit()
      initial = toHeaders(payload)
      send({ type: 'connection_ack' })
    },
    ping: ({ payload }) => send({ type: 'pong', payload }),
    pong: () => undefined,
    subscribe({ payload = null }, id) {
      if (!initial) return close(4401, 'Unauthorized')
      if (operations.has(id)) return close(4409, `Subscriber for ${id} already exists`)
      if (operations.size >= maxOperations)
        return close(1008, `A socket has at most ${maxOperations} operations.`)
      if (!isRecord(payload)) return close(4400, 'Invalid message: "payload" is no object')
      run(id, payload).catch((error: unknown) => close(1011, toReason(error)))
    },
    complete(_, id) {
      operations.get(id)?.()
      operations.delete(id)
    },
  }

  return {
    message(message) {
      try {
        const parsed = readMessage(message, exchange)
        const { type, id } = isRecord(parsed) ? parsed : {}
        const handle =
          typeof type === 'string' && Object.hasOwn(messages, type) ? messages[type] : undefined
        const needsId = type === 'subscribe' || type === 'complete'
        if (!handle || !isRecord(parsed)) return close(4400, 'Invalid message: unknown "type"')
        const isNamed = typeof id === 'string' && id !== ''
        if (needsId && !isNamed) return close(4400, 'Invalid message: "id" is no text')
        handle(parsed, isNamed ? id : '')
      } catch (error) {
        if (!(error instanceof MockError)) throw error
        close(4400, toReason(error))
      }
    },
    close() {
      for (const stop of [stopInit, stopPings, ...operations.values()]) stop()
      operations.clear()
    },
  }
}

/** The most operations that run at once on a socket. */
const maxOperations = 100

function isEvents({ headers }: MockResponse): boolean {
  return headerOf(headers, 'Content-Type')?.startsWith('text/event-stream') ?? false
}

async function* toStream(body: Exclude<MockResponse['body'], BodyStream>): BodyStream {
  yield body ?? ''
}

/** Returns the errors of a request that the mock has refused: those of GraphQL, or its problem as one. */
function toErrors(status: number, body: string): unknown {
  let problem: unknown
  try {
    problem = JSON.parse(body)
  } catch {
    problem = body
  }
  const { errors, detail, title, code } = isRecord(problem) ? problem : {}
  if (Array.isArray(errors)) return errors
  const message = detail ?? title ?? `The status is ${status}.`
  return [{ message, extensions: { status, code } }]
}

/** The credentials in the payload of `connection_init`, or in its `headers`, as headers. */
function toHeaders(payload: Json | undefined): Record<string, string> {
  const own = isRecord(payload) ? payload : {}
  const entries = Object.entries({ ...own, ...(isRecord(own['headers']) && own['headers']) })
  // Other headers, such as `Host` and `Origin`, are those of the handshake.
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof value === 'string' && /^(?:authorization|x-[\w-]+)$/i.test(name)
        ? [[name.toLowerCase(), value]]
        : [],
    ),
  )
}

/** The reason of a close, which has at most 123 bytes (RFC 6455 §5.5.1). */
function toReason(error: unknown): string {
  return toAscii(toMessage(error)).slice(0, 123)
}

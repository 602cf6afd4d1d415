import { MockError } from '../../errors/mock-error.ts'
import { toProblem } from '../../errors/problem.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { MockResponse, SocketListener } from '../../http/contract/messages.ts'
import { readMessage, type Socket } from '../../http/response/sockets.ts'
import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Feed } from './feed.ts'

/** Serves the changes of a mock as JSON: the client sends `subscribe` and `unsubscribe`. */
export function serveChanges(exchange: Exchange, feed: Feed, socket: Socket): SocketListener {
  const { base } = exchange.service
  const subscriptions = new Map<string, () => void>()
  const send = (frame: Record<string, unknown>): void => socket.send(JSON.stringify(frame))

  function subscribe(id: string, message: JsonRecord): void {
    const { path, search, lastEventId } = toWanted(message)
    if (subscriptions.has(id)) throw wrongMessage('id', `there is a subscription "${id}" already`)
    if (subscriptions.size >= maxSubscriptions) {
      return socket.close(1008, `A socket has at most ${maxSubscriptions} subscriptions.`)
    }
    const end = (type: string, members: Record<string, unknown> = {}): void => {
      subscriptions.delete(id)
      send({ type, id, ...members })
    }
    // The mock may refuse before `subscribe` returns.
    subscriptions.set(id, () => undefined)
    const stop = feed.subscribe(
      exchange,
      { path: base + path, search, lastEventId },
      {
        opened: (lastEventId, ignored) =>
          send({ type: 'subscribed', id, lastEventId, ...(ignored.length > 0 && { ignored }) }),
        notify: (event) => send({ type: 'change', id, eventId: event.id, change: event.change }),
        ended: () => end('unsubscribed'),
        refused(response) {
          if (response.status === 0)
            return socket.close(1011, 'A fault has dropped the connection.')
          end('error', toRefusal(response, path))
        },
      },
    )
    if (subscriptions.has(id)) subscriptions.set(id, stop)
  }

  function unsubscribe(id: string): void {
    const stop = subscriptions.get(id)
    if (!stop) throw wrongMessage('id', `there is no subscription "${id}"`)
    stop()
    subscriptions.delete(id)
    send({ type: 'unsubscribed', id })
  }

  return {
    message(message) {
      let id: string | undefined
      try {
        const parsed = readMessage(message, exchange)
        if (!isRecord(parsed)) throw wrongMessage('type', 'the message is no object')
        const { type, id: given = parsed['collection'] } = parsed
        if (typeof given === 'string') id = given
        if (type !== 'subscribe' && type !== 'unsubscribe') {
          throw wrongMessage('type', 'it is neither "subscribe" nor "unsubscribe"')
        }
        if (id === undefined) throw wrongMessage('id', 'it is no text')
        if (type === 'subscribe') subscribe(id, parsed)
        else unsubscribe(id)
      } catch (error) {
        if (!(error instanceof MockError)) throw error
        const { status, message: text, errors } = error
        send({ type: 'error', id, status, error: toProblem(status, text, errors && { errors }) })
      }
    },
    close() {
      for (const stop of subscriptions.values()) stop()
      subscriptions.clear()
    },
  }
}

/** The most subscriptions of one socket; a client that sends more is disconnected. */
const maxSubscriptions = 100

/** The path, the query and the last event of a message. @throws MockError 400 that names the wrong member */
function toWanted(message: JsonRecord) {
  const { collection, filter = '', since } = message
  if (typeof collection !== 'string' || collection === '') {
    throw wrongMessage('collection', 'it is no name, such as "posts"')
  }
  if (since !== undefined && typeof since !== 'string') {
    throw wrongMessage('since', 'it is no text, such as the "eventId" of a change')
  }
  const path = collection.split('/').map(encodeURIComponent).join('/')
  return { path: `/${path}`, search: toSearch(filter), lastEventId: since }
}

/** The query of a filter: the parameters of a URL, or a tree as in `_where`. */
function toSearch(filter: Json): string {
  if (typeof filter === 'string') return filter && `?${filter.replace(/^\?/, '')}`
  if (isRecord(filter)) return `?_where=${encodeURIComponent(JSON.stringify(filter))}`
  throw wrongMessage('filter', 'it is neither a text such as "views:gte=10" nor an object')
}

function wrongMessage(member: string, reason: string): MockError {
  return new MockError(
    `Failed to read "${member}" of the message: ${reason}. Please send {"type":"subscribe","id":"1","collection":"posts"}.`,
    { status: 400, code: 'MESSAGE_INVALID', errors: { [member]: reason } },
  )
}

/** The status and error of a refused subscription: those of the response, or 404 if the path has no changes. */
function toRefusal({ status, body }: MockResponse, path: string) {
  if (status >= 400 && typeof body === 'string') return { status, error: parseError(status, body) }
  const detail = `Failed to subscribe: "${path}" has no changes that are streamed.`
  return { status: 404, error: toProblem(404, detail) }
}

function parseError(status: number, body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return toProblem(status, body)
  }
}

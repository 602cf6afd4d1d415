import { type WebSocketHandler, ws } from 'msw'
import type { Answerer } from '../../core/http/contract/answerer.ts'
import { connectSocket } from '../web/sockets.ts'
import { splitUrl } from '../web/web.ts'
import type { MockRequest } from '../../core/http/contract/messages.ts'

/** Creates the MSW handler of the sockets at some paths, which may have parameters such as `:id`. */
export function createSocketHandler(
  mock: Pick<Answerer, 'handle'>,
  paths: readonly string[],
  origin: string | undefined,
): WebSocketHandler {
  // MSW matches an expression with the URL without its query.
  const host = !origin ? 'wss?://[^/]+' : escape(origin.replace(/^http/, 'ws'))
  const places = paths.map((path) => escape(path).replaceAll(/:\w+/g, '[^/]+'))
  const link = ws.link(new RegExp(`^${host}(?:${places.join('|')})$`))
  return link.addEventListener('connection', ({ client, info }) => {
    const request = toHandshake(client.url, info.protocols ?? [])
    connectSocket(client, mock.handle(request, { origins: 'any', hasSockets: true }))
  })
}

/** The request of a handshake, which MSW does not have. */
function toHandshake(url: URL, protocols: string | string[]): MockRequest {
  const { origin, path, search } = splitUrl(url.href)
  const isPage = typeof document === 'object'
  return {
    method: 'GET',
    path,
    search,
    origin: origin.replace(/^ws/, 'http'),
    headers: {
      host: url.host,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-protocol': [protocols].flat().join(', ') || undefined,
      ...(isPage && { origin: location.origin, cookie: document.cookie || undefined }),
    },
    text: () => '',
    form: () => [],
  }
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

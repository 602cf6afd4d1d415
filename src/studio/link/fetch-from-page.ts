import { type Call, channelName, lockPrefix, type Reply } from './protocol.ts'

/**
 * Sends a request, with the signature of `fetch`, to a mock that runs in another page of the same origin,
 * because such a mock has no URL of its own. The request and its response are messages on a
 * `BroadcastChannel`. `ownPage` names the page around a panel, whose mock the panel shows.
 */
export async function fetchFromPage(
  url: string,
  init: RequestInit,
  ownPage?: string,
): Promise<Response> {
  const page = await choosePage(ownPage)
  const { method = 'GET', signal, body } = init
  signal?.throwIfAborted()
  const call = crypto.randomUUID()
  const headers = [...new Headers(init.headers)]
  return new Promise((resolve, reject) => {
    const response = createResponse(call, resolve, reject)
    pending.set(call, { page, take: response.take })
    signal?.addEventListener('abort', () => {
      response.take({ reply: call, error: 'The request was aborted.' })
      send({ to: page, call })
    })
    const isSent = typeof body === 'string' || body instanceof Blob
    const ask = { method, url, headers, ...(isSent && { body }) }
    send({ to: page, call, ask })
  })
}

/** A request on its way to another page. */
interface Pending {
  page: string
  take(reply: Reply): void
}

const pending = new Map<string, Pending>()
let channel: BroadcastChannel | undefined
let current: string | undefined

/**
 * Returns the page whose mock is shown: the page that has opened the studio, which has named the tab after itself,
 * or otherwise the page that was started last. The studio stays with a page as long as the page is open.
 */
async function choosePage(ownPage = window.name): Promise<string> {
  if (current !== undefined) return current
  const { held = [] } = await navigator.locks.query()
  const pages = held
    .map(({ name = '' }) => name)
    .filter((name) => name.startsWith(lockPrefix))
    .toSorted((left, right) => startOf(right) - startOf(left))
  const chosen = pages.includes(ownPage) ? ownPage : pages[0]
  if (chosen === undefined)
    throw new TypeError(
      'No page with the mock is open. Please open the application in another tab.',
    )
  if (current === undefined) void awaitEnd((current = chosen))
  return chosen
}

function startOf(name: string): number {
  return Number.parseInt(name.slice(lockPrefix.length), 10)
}

/** Ends the requests of a page when it closes or reloads, which releases its lock. */
async function awaitEnd(page: string): Promise<void> {
  await navigator.locks.request(page, () => {
    current = undefined
    for (const [call, { page: asked, take }] of pending)
      if (asked === page) take({ reply: call, error: 'The page with the mock was closed.' })
  })
}

function send(message: Call): void {
  if (!channel) {
    channel = new BroadcastChannel(channelName)
    channel.addEventListener('message', ({ data }: MessageEvent<Reply>) =>
      pending.get(data.reply)?.take(data),
    )
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel takes none
  channel.postMessage(message)
}

/** Makes a response of the replies, as they arrive. */
function createResponse(
  call: string,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): { take(reply: Reply): void } {
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined
  return {
    take({ head, chunk, isLast, error }) {
      if (head) {
        const { status, headers } = head
        const isEmpty = status === 204 || status === 205 || status === 304
        const body = new ReadableStream<Uint8Array>({ start: (controller) => (sink = controller) })
        resolve(new Response(isEmpty ? null : body, { status, headers }))
      }
      if (chunk) sink?.enqueue(chunk)
      if (!isLast && error === undefined) return
      pending.delete(call)
      if (isLast) return sink?.close()
      const failure = new TypeError(error)
      if (sink) sink.error(failure)
      else reject(failure)
    },
  }
}

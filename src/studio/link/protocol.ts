/** The name of the `BroadcastChannel` over which the studio asks a mock that runs in another page. */
export const channelName = 'fixtura'

/**
 * The beginning of the name of the lock (Web Locks) that a page holds while its mock runs, before the time of the
 * start and a random part. The name of the lock is the name of the page in messages.
 */
export const lockPrefix = 'fixtura-page '

/** The key of the global variable with which a page tells the studio that it fills a panel of the page. */
export const panelKey: unique symbol = Symbol.for('fixtura.panel')

/** A panel of a page that the studio fills. */
export interface StudioPanel {
  root: ShadowRoot
  /** The name of the page; it changes when another mock replaces that of the page. */
  page: string
}

/** A request of the studio to a page, or the abort of a request. */
export interface Call {
  /** The name of the page. */
  to: string
  /** Identifies the request and its replies. */
  call: string
  /** The request; undefined to abort it. */
  ask?: {
    method: string
    url: string
    headers: [name: string, value: string][]
    body?: string | Blob
  }
}

/** A part of the response: its head, then chunks of its body, then the end or an error. */
export interface Reply {
  reply: string
  head?: { status: number; headers: [name: string, value: string][] }
  chunk?: Uint8Array<ArrayBuffer>
  isLast?: boolean
  /** Why there is no response, or no rest of it. */
  error?: string
}

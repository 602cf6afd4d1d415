/**
 * A request of a client: `GET /path`, or with a body and options. `{login.token}` in a path, a body or a header is the
 * member of the response that a request before has kept as `login`; `{login:etag}` is its header.
 */
export type Step =
  | string
  | readonly [
      request: string,
      body?: unknown,
      options?: { as?: string; headers?: Record<string, string> },
    ]

/** A response as it is compared: URLs have the same origin in the real API and the mock. */
export interface Answer {
  /** The method and the path that were sent. */
  request: string
  /** Whether the request had headers of its own. */
  isSpecial: boolean
  status: number
  /** The media type without parameters. */
  type: string
  headers: Record<string, string>
  /** The parsed JSON, the text, or base64 of other bytes. */
  value: unknown
}

/** Sends requests to one side, and keeps what later requests need. */
export interface Client {
  send(step: Step): Promise<Answer>
}

/** The origin that URLs in answers have. */
export const commonOrigin = 'http://mock.test'

/** The headers that a front end reads. */
const readHeaders = /^(?:location|link|content-disposition|retry-after|x-total.*|.*-count)$/

/** Creates a client; `origins` are those whose URLs are moved to the common one. */
export function createClient(
  fetchPath: (path: string, init: RequestInit) => Promise<Response>,
  origins: readonly string[],
  standard: Record<string, string> = {},
): Client {
  const kept = new Map<string, { value: unknown; headers: Headers }>()
  const cookies = new Map<string, string>()

  /** Fills the placeholders; undefined where a kept response is missing. */
  function fill(text: string): string | undefined {
    let isComplete = true
    const filled = text.replace(/\{(\w+)([.:])([\w.]+)\}/g, (_, name, kind, rest: string) => {
      const found = kept.get(String(name))
      const value = kind === ':' ? found?.headers.get(rest) : memberOf(found?.value, rest)
      if (value === undefined || value === null) isComplete = false
      return String(value)
    })
    return isComplete ? filled : undefined
  }

  return {
    async send(step) {
      const [request, body, options = {}] = typeof step === 'string' ? [step] : step
      const [method = '', template = ''] = request.split(' ')
      const path = fill(template) ?? template.replaceAll(/\{[^}]+\}/g, 'missing')
      const headers = Object.fromEntries(
        Object.entries({ ...standard, ...options.headers }).flatMap(([name, text]) => {
          const value = fill(text)
          return value === undefined || value === '' ? [] : [[name, value]]
        }),
      )
      if (body !== undefined) headers['Content-Type'] = 'application/json'
      const text = body === undefined ? null : JSON.stringify(body)
      const sent = text === null ? null : (fill(text) ?? text)
      if (cookies.size > 0) {
        headers['Cookie'] = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      }
      const response = await fetchPath(path, { method, headers, body: sent, redirect: 'manual' })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      const bytes = Buffer.from(await response.arrayBuffer())
      const type = (response.headers.get('Content-Type') ?? '').replace(/;.*/, '')
      const move = (text: string): string =>
        origins.reduce((moved, origin) => moved.replaceAll(origin, commonOrigin), text)
      const value = parse(bytes, type, move)
      if (options.as !== undefined && response.ok) {
        kept.set(options.as, { value, headers: response.headers })
      }
      return {
        request: `${method} ${path}`,
        isSpecial: options.headers !== undefined,
        status: response.status,
        type: bytes.length === 0 ? '' : type,
        headers: Object.fromEntries(
          [...response.headers]
            .filter(([name]) => readHeaders.test(name))
            .map(([name, line]) => [name, move(line)]),
        ),
        value,
      }
    },
  }
}

function parse(bytes: Buffer, type: string, move: (text: string) => string): unknown {
  if (bytes.length === 0) return undefined
  if (/[/+]json$/.test(type)) return JSON.parse(move(bytes.toString()))
  return type.startsWith('text/') ? move(bytes.toString()) : bytes.toString('base64')
}

function memberOf(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null)?.[name], value)
}

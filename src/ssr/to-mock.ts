import type { Hop } from './hop.ts'
import { state } from './state.ts'

/**
 * Returns the arguments with which `fetch` sends a request: with the URL at the mock and the header of the
 * session if the request goes to the mock.
 */
export function toMock({ url, request, init }: Hop): [Request | string, RequestInit] {
  const headers = new Headers(init.headers ?? request?.headers)
  const address = toMockAddress(url)
  const { redirection } = state
  const session = state.sessions.getStore()
  if (redirection && address !== undefined && session !== undefined) {
    if (!headers.has(redirection.header)) headers.set(redirection.header, session)
  }
  const target = address ?? url
  return [request ? new Request(target, request) : target, { ...init, headers }]
}

/**
 * Returns the URL at the mock for a URL that `redirect` names, or that is at a mock already; undefined for any
 * other URL.
 */
export function toMockAddress(address: string): string | undefined {
  const targets = state.redirection?.targets ?? []
  if (targets.length === 0 || !URL.canParse(address)) return undefined
  const url = new URL(address)
  if (targets.some(({ to }) => to.origin === url.origin)) return url.href
  const target = targets.find(({ from }) => isBelow(url, from))
  if (!target) return undefined
  const { from, to } = target
  const rest = url.pathname.slice(basePath(from).length)
  return `${to.origin}${basePath(to)}${rest}${url.search}${url.hash}`
}

function isBelow(url: URL, base: URL): boolean {
  return url.origin === base.origin && `${url.pathname}/`.startsWith(`${basePath(base)}/`)
}

/** Returns the path of a base URL without a slash at its end. */
function basePath({ pathname }: URL): string {
  return pathname.replace(/\/$/, '')
}

import { type Signal, signal } from '@preact/signals'
import { isSame } from '../../core/json/json.ts'
import { ask, sessionHeaders } from '../control.ts'
import { send } from '../host.ts'
import { remember, remembered } from '../parts/remember.ts'
import { type Draft, transport } from './exchange.ts'

/**
 * Sends a request that a person has written to the mock, as an application does: rules, faults, delays and the
 * log apply.
 */
export async function sendDraft({ method, url, headers, body, user }: Draft): Promise<Sent> {
  const all = new Headers(sessionHeaders)
  for (const [name, value] of headers) if (name !== '') all.set(name, value)
  if (user !== undefined) {
    const header = await ask<[string, string] | null>('auth', { method: 'POST', input: user })
    if (!header) throw new Error('Only a cookie is a login here. Please send a POST to log in.')
    all.set(...header)
  }
  const hasBody = body !== '' && !/^(?:GET|HEAD)$/.test(method)
  if (hasBody && !all.has('Content-Type')) all.set('Content-Type', 'application/json')
  const startedAt = performance.now()
  const response = await send(url, { method, headers: all, ...(hasBody && { body }) })
  const text = await response.text()
  const { status, statusText } = response
  return {
    status,
    statusText,
    headers: [...response.headers],
    text,
    ms: performance.now() - startedAt,
  }
}

/** The request in the form that sends requests, which outlives a reload. */
export const draft: Signal<Draft> = signal(
  remembered<Draft>('draft', { method: 'GET', url: '/', headers: [], body: '' }),
)

/** The requests that have a name, and the last ones that were sent from the form, the latest first. */
export const sentDrafts: Signal<readonly SentDraft[]> = signal(remembered<SentDraft[]>('sent', []))

/** A request that was sent; one with a name is kept. */
export interface SentDraft extends Draft {
  name?: string
}

/** Notes a request that was sent from the form, or that got another name. */
export function noteSent({ name, ...sent }: SentDraft): void {
  const isOther = ({ name: _name, ...one }: SentDraft): boolean => !isSame(one, sent)
  const known = sentDrafts.value.find((one) => !isOther(one))
  const rest = sentDrafts.value.filter(isOther)
  const all = [{ ...sent, name: name ?? known?.name ?? '' }, ...rest]
  const last = all.filter((one) => !one.name).slice(0, 20)
  sentDrafts.value = all.filter((one) => one.name || last.includes(one))
  remember('sent', sentDrafts.value)
}

/** Says why a page cannot send a request; empty for no reason. */
export function refusalOf({ url, headers }: Draft): string {
  if (!url.startsWith('/'))
    return `"${url}" is no path. This page sends to its own mock only: please begin with "/".`
  for (const [name, value] of headers) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return `"${name}" is no name of a header.`
    // oxlint-disable-next-line no-control-regex -- the characters that a value may not have
    if (/[\u0000\r\n]|[^\u0000-\u00ff]/.test(value))
      return `The value of "${name}" is not allowed in a header.`
  }
  return ''
}

/** The headers of a request that a browser does not let a page set. */
export function forbiddenHeaders({ headers }: Draft): string[] {
  return headers.map(([name]) => name).filter((name) => transport.test(name))
}

/** A response, as the page shows it. */
export interface Sent {
  status: number
  statusText: string
  headers: [name: string, value: string][]
  text: string
  ms: number
}

/** Puts a request into the form. */
export function startDraft(next: Draft): void {
  draft.value = next
  remember('draft', next)
}

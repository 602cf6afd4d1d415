import { type Signal, signal } from '@preact/signals'
import { sessionHeaders } from '../control.ts'
import { send } from '../host.ts'
import type { Draft } from './exchange.ts'

/**
 * Sends a request that a person has written to the mock, as an application does: rules, faults, delays and the
 * log apply.
 */
export async function sendDraft({ method, url, headers, body }: Draft): Promise<Sent> {
  const all = new Headers(sessionHeaders)
  for (const [name, value] of headers) if (name !== '') all.set(name, value)
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

/** The request in the form that sends requests. */
export const draft: Signal<Draft> = signal({ method: 'GET', url: '/', headers: [], body: '' })

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
}

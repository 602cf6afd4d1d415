import type { Resource, Row } from './control.ts'
import { element, part } from './dom.ts'
import { firstPage, queryFor } from './query.ts'

/** A request that is ready to be sent. */
interface Ready {
  title: string
  method: string
  path: string
  body: string
}

/**
 * Offers requests to a resource, and shows what they are answered. Gives what offers others, which fit
 * a record of it.
 */
export function showRequests(resource: Resource, dialect: string): (record: Row) => void {
  const method = element(
    'select',
    { 'aria-label': 'Method' },
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => element('option', {}, name)),
  )
  const path = element('input', { 'aria-label': 'Path', size: 30, spellcheck: 'false' })
  const body = element('textarea', {
    'aria-label': 'Body',
    spellcheck: 'false',
    placeholder: 'Body (JSON)',
  })
  const answer = element('div', { 'aria-live': 'polite' })
  const take = (ready: Ready): void => {
    method.value = ready.method
    path.value = ready.path
    body.value = ready.body
  }
  const choices = element('div', { class: 'bar' })
  const offer = (ready: Ready[]): void => {
    const button = (one: Ready): HTMLElement =>
      element('button', { type: 'button', click: () => take(one) }, one.title)
    choices.replaceChildren(...ready.map(button))
  }
  const ready = requestsFor(resource, dialect, {})
  offer(ready)
  const form = element(
    'form',
    {
      submit: (event) => {
        event.preventDefault()
        void send(method.value, path.value, body.value, answer)
      },
    },
    choices,
    element('div', { class: 'bar' }, method, path, element('button', {}, 'Send')),
    body,
  )
  part('request').replaceChildren(element('h2', {}, 'Request'), form, answer)
  if (ready[0]) take(ready[0])
  return (record) => offer(requestsFor(resource, dialect, record))
}

function requestsFor(
  { kind, url: path, idField = 'id' }: Resource,
  dialect: string,
  { [idField]: id = 1, ...fields }: Row,
): Ready[] {
  const one = `${path}/${encodeURIComponent(String(id))}`
  const isKnown = Object.keys(fields).length > 0
  const record = JSON.stringify(isKnown ? fields : { title: 'New' }, null, 2)
  const list: Ready = {
    title: kind === 'collection' ? 'List' : 'Read',
    method: 'GET',
    path,
    body: '',
  }
  if (kind === 'document') return [list]
  if (kind === 'singleton') {
    return [
      list,
      { title: 'Change', method: 'PATCH', path, body: record },
      { title: 'Replace', method: 'PUT', path, body: record },
    ]
  }
  return [
    list,
    {
      title: 'Page',
      method: 'GET',
      path: path + queryFor(dialect, { ...firstPage, size: 5 }),
      body: '',
    },
    { title: 'One', method: 'GET', path: one, body: '' },
    { title: 'Add', method: 'POST', path, body: record },
    { title: 'Change', method: 'PATCH', path: one, body: record },
    { title: 'Delete', method: 'DELETE', path: one, body: '' },
  ]
}

async function send(
  method: string,
  path: string,
  body: string,
  answer: HTMLElement,
): Promise<void> {
  const hasBody = method !== 'GET' && method !== 'DELETE' && body.trim() !== ''
  const headers = hasBody ? { 'Content-Type': 'application/json' } : {}
  try {
    const response = await fetch(path, { method, headers, ...(hasBody && { body }) })
    const text = await response.text()
    const lines = Array.from(response.headers, ([name, value]) => `${name}: ${value}`)
    answer.replaceChildren(
      element(
        'p',
        { class: response.ok ? 'good' : 'bad' },
        `${response.status} ${response.statusText}, ${text.length} characters`,
      ),
      element('pre', { tabindex: 0 }, pretty(text)),
      element(
        'details',
        {},
        element('summary', {}, 'Headers'),
        element('pre', {}, lines.join('\n')),
      ),
    )
  } catch (error) {
    answer.replaceChildren(element('p', { class: 'bad' }, `No answer: ${String(error)}`))
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

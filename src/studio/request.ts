import { headersField, send } from './api.ts'
import type { Resource, Row } from './control.ts'
import { element, part } from './dom.ts'
import { firstPage, queryFor } from './query.ts'

/** The form of prepared requests; its functions choose the record that the requests use. */
export interface Requests {
  /** Uses the first of these records, unless a record was chosen. */
  offer(records: readonly Row[]): void
  /** Uses this record from now on, and requests it. */
  choose(record: Row): void
}

const methods = ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Shows prepared requests to a resource, and their responses. */
export function showRequests(resource: Resource, dialect: string): Requests {
  const { idField = 'id' } = resource
  let record: Row = {}
  let isChosen = false
  const method = element(
    'select',
    { 'aria-label': 'Method' },
    ...methods.map((name) => element('option', {}, name)),
  )
  const path = element('input', { 'aria-label': 'Path', size: 30, spellcheck: 'false' })
  const body = element('textarea', {
    'aria-label': 'Body',
    spellcheck: 'false',
    placeholder: 'Body (JSON)',
  })
  const outcome = element('p', { 'aria-live': 'polite' })
  const answer = element('div')

  function take(title: string): void {
    const ready = requestsFor(resource, dialect, record)[title]
    if (ready) [method.value, path.value, body.value = ''] = ready
  }

  let last = 0
  async function submit(): Promise<void> {
    const turn = ++last
    const hasBody = !/^(?:GET|HEAD)$/.test(method.value) && body.value.trim() !== ''
    outcome.className = 'dim'
    outcome.textContent = 'Waiting…'
    answer.replaceChildren()
    const [kind, text, ...parts] = await answerTo(
      send(path.value, method.value, hasBody ? body.value : undefined),
    )
    if (turn !== last) return
    outcome.className = kind
    outcome.textContent = text
    answer.replaceChildren(...parts)
  }

  const titles = Object.keys(requestsFor(resource, dialect, record))
  const choices = titles.map((title) =>
    element('button', { type: 'button', click: () => take(title) }, title),
  )
  const form = element(
    'form',
    {
      submit: (event) => {
        event.preventDefault()
        void submit()
      },
    },
    element('div', { class: 'bar' }, ...choices),
    element('div', { class: 'bar' }, method, path, element('button', {}, 'Send')),
    body,
    headersField,
  )
  part('request').replaceChildren(element('h2', {}, 'Request'), form, outcome, answer)
  take(titles[0] ?? '')
  return {
    offer(records) {
      const same = records.find((one) => one[idField] === record[idField])
      record = (isChosen ? same : records[0]) ?? record
    },
    choose(chosen) {
      record = chosen
      isChosen = true
      take('Get one')
      void submit().then(() => answer.scrollIntoView({ block: 'nearest' }))
    },
  }
}

/** The prepared requests by the label of their button. */
function requestsFor(
  { kind, url: path, idField = 'id' }: Resource,
  dialect: string,
  { [idField]: id = 1, ...fields }: Row,
): Record<string, [method: string, path: string, body?: string]> {
  const one = `${path}/${encodeURIComponent(String(id))}`
  const isKnown = Object.keys(fields).length > 0
  const record = JSON.stringify(isKnown ? fields : { title: 'New' }, null, 2)
  if (kind === 'document') return { Read: ['GET', path] }
  if (kind === 'singleton')
    return { Read: ['GET', path], Change: ['PATCH', path, record], Replace: ['PUT', path, record] }
  return {
    List: ['GET', path],
    Page: ['GET', path + queryFor(dialect, { ...firstPage, size: 5 })],
    'Get one': ['GET', one],
    Add: ['POST', path, record],
    Change: ['PATCH', one, record],
    Delete: ['DELETE', one],
  }
}

/** A response as it is shown: success, status line, body and headers. */
async function answerTo(
  sent: Promise<Response>,
): Promise<[kind: 'good' | 'bad', outcome: string, ...parts: HTMLElement[]]> {
  try {
    const response = await sent
    const { ok, status, statusText, headers } = response
    const text = await response.text()
    const lines = Array.from(headers, ([name, value]) => `${name}: ${value}`)
    return [
      ok ? 'good' : 'bad',
      `${status} ${statusText}, ${text.length} characters`,
      element('pre', { tabindex: 0 }, pretty(text)),
      element(
        'details',
        {},
        element('summary', {}, 'Headers'),
        element('pre', {}, lines.join('\n')),
      ),
    ]
  } catch (error) {
    return ['bad', `No response: ${String(error)}`]
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

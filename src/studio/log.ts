import { addressOf, ask } from './control.ts'
import { element, part, tell } from './dom.ts'

/** An entry of the request log, as the event stream of the control API sends it. */
interface Entry {
  time: number
  method: string
  url: string
  status: number
  ms: number
  reason: string
}

const most = 200

/** Shows the log and appends new requests. Calls `onChange` when the data may have changed. */
export function showLog(onChange: () => void): void {
  const rows = element('tbody')
  const clear = (): void => {
    void ask('log', 'DELETE').then(() => rows.replaceChildren())
  }
  const names = ['Time', 'Method', 'URL', 'Status', 'ms', 'Reason']
  part('log').replaceChildren(
    element(
      'div',
      { class: 'bar' },
      element('h2', {}, 'Log'),
      element('button', { type: 'button', click: clear }, 'Clear'),
      element('a', { href: addressOf('log.har'), download: 'mock.har' }, 'HAR'),
      element('a', { href: addressOf('log.curl') }, 'curl'),
    ),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Requests' },
      element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...names.map((name) => element('th', {}, name)))),
        rows,
      ),
    ),
  )
  const add = (entry: Entry): void => {
    rows.prepend(toRow(entry))
    while (rows.rows.length > most) rows.deleteRow(-1)
  }
  // Entries that arrive before the log is fetched may also be in the fetched log.
  let early: Entry[] | undefined
  const showAll = async (): Promise<void> => {
    const told: Entry[] = (early = [])
    const entries = await ask<Entry[]>('log').catch((): Entry[] => [])
    if (early !== told) return
    const known = new Set(entries.map((entry) => JSON.stringify(entry)))
    const all = [...entries, ...told.filter((entry) => !known.has(JSON.stringify(entry)))]
    early = undefined
    rows.replaceChildren()
    all.forEach(add)
  }
  const stream = new EventSource(addressOf('log'))
  let isLost = false
  stream.addEventListener('error', () => {
    isLost = stream.readyState === stream.CONNECTING
    tell('log', isLost ? 'The connection to the server is lost.' : '')
    // The stream is refused: the refresh shows the reason.
    if (!isLost) onChange()
  })
  stream.addEventListener('open', () => {
    // The stream does not send earlier requests, so the log is fetched after each connection.
    void showAll()
    if (isLost) onChange()
    tell('log')
  })
  stream.addEventListener('change', onChange)
  stream.addEventListener('message', ({ data }) => {
    const entry = JSON.parse(String(data)) as Entry
    if (early) early.push(entry)
    else add(entry)
    // Changes within a session send no `change` event, so every write counts as a change.
    if (!/^(?:GET|HEAD|OPTIONS|QUERY)$/.test(entry.method)) onChange()
  })
}

function toRow({ time, method, url, status, ms, reason }: Entry): HTMLElement {
  const kind = status >= 400 || status === 0 ? 'bad' : 'good'
  return element(
    'tr',
    {},
    element('td', { class: 'dim' }, new Date(time).toLocaleTimeString()),
    element('td', {}, method),
    element('td', { title: url }, url),
    element('td', { class: kind }, status === 0 ? 'dropped' : String(status)),
    element('td', {}, String(Math.round(ms))),
    element('td', { title: reason }, reason),
  )
}

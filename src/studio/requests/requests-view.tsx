import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { LogEntry } from '../../core/log/log.ts'
import { clearLog, entries, keyOf, showLog } from '../app/live.ts'
import { hrefOf, place } from '../app/router.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DownloadButton } from '../parts/download-button.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { ExchangePanel } from './exchange-panel.tsx'

/** Lists the logged requests, the last one first, and shows the chosen request beside the list. */
export function RequestsView(): VNode {
  const [text, setText] = useState('')
  const [shown, setShown] = useState(pageSize)
  useEffect(showLog, [])
  const wanted = text.toLowerCase()
  const found = entries.value
    .toReversed()
    .filter((entry) => wanted === '' || textOf(entry).includes(wanted))
  const { name } = place.value
  const chosen = entries.value.find((entry) => keyOf(entry) === name)
  return (
    <section class={`data ${name === '' ? '' : 'with-record'}`} aria-label="Requests">
      <div class="list">
        <header class="bar">
          <h2>Requests</h2>
          <span class="dim" role="status">
            {found.length} of {entries.value.length}
          </span>
          <span class="gap" />
          <DownloadButton path="log.har" file="mock.har">
            HAR
          </DownloadButton>
          <DownloadButton path="log.curl" file="mock.sh">
            curl
          </DownloadButton>
          <ActionButton onPress={clearLog}>Clear</ActionButton>
        </header>
        <div class="filters" role="search">
          <SearchField
            label="Search requests"
            placeholder="Method, path, status or reason"
            text={text}
            onInput={setText}
          />
        </div>
        {found.length === 0 ? (
          <p class="empty">
            {text === ''
              ? 'No requests yet. Requests of the application appear here.'
              : 'No request matches.'}
          </p>
        ) : (
          <div class="scroll" role="region" aria-label="History" tabIndex={0}>
            <table class="requests">
              <thead>
                <tr>
                  {['Time', 'Method', 'URL', 'Status', 'ms', 'Reason'].map((title) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.slice(0, shown).map((entry) => (
                  <RequestRow key={keyOf(entry)} entry={entry} isChosen={entry === chosen} />
                ))}
              </tbody>
            </table>
            {found.length > shown && (
              <button type="button" onClick={() => setShown(shown + pageSize)}>
                Show {Math.min(pageSize, found.length - shown)} more
              </button>
            )}
          </div>
        )}
      </div>
      {name !== '' && <ExchangePanel key={name} entry={chosen} />}
    </section>
  )
}

/** The number of rows at first, and of those that a button adds. */
const pageSize = 200

function textOf({ method, url, status, reason }: LogEntry): string {
  return `${method} ${url} ${status || 'dropped'} ${reason}`.toLowerCase()
}

function RequestRow({ entry, isChosen }: { entry: LogEntry; isChosen: boolean }): VNode {
  const { time, method, url, status, ms, reason } = entry
  return (
    <tr class={isChosen ? 'chosen' : ''}>
      <td class="dim">{new Date(time).toTimeString().slice(0, 8)}</td>
      <td>{method}</td>
      <td class="url" title={url}>
        <a href={hrefOf('requests', keyOf(entry))}>{url}</a>
      </td>
      <td class={status >= 400 || status === 0 ? 'bad' : 'good'}>{status || 'dropped'}</td>
      <td class="number">{Math.round(ms)}</td>
      <td title={reason}>{reason}</td>
    </tr>
  )
}

import { Activity, Pause, Play } from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { LogEntry } from '../../core/log/log.ts'
import { CopyLine } from '../app/home-view.tsx'
import { clearLog, entries, keyOf, showLog } from '../app/live.ts'
import { go, hrefOf, place, setParams } from '../app/router.ts'
import { state } from '../app/state.ts'
import { Press, TextInput, Icon } from '../parts/controls.tsx'
import { DownloadButton } from '../parts/download-button.tsx'
import { dragWidth } from '../parts/drag-width.ts'
import { remember, remembered } from '../parts/remember.ts'
import { ExchangePanel } from './exchange-panel.tsx'
import { requestColumns, RequestRow } from './request-row.tsx'

/** Lists the logged requests, the last one first, and shows the chosen request beside the list. */
export function RequestsView(): VNode {
  const { name, params } = place.value
  const text = params['q'] ?? ''
  const kinds = params['kind']?.split(',') ?? []
  const [shown, setShown] = useState(pageSize)
  /** The requests at the time of the pause; undefined while new ones are shown. */
  const [paused, setPaused] = useState<readonly LogEntry[] | undefined>()
  const [widths, setWidths] = useState(() => remembered<Widths>('request columns', {}))
  const resize = (title: string, width: number | undefined): void => {
    const next = { ...widths, [title]: width }
    setWidths(next)
    remember('request columns', next)
  }
  useEffect(showLog, [])
  const wanted = text.toLowerCase()
  const listed = paused ?? entries.value
  const tests = kinds.flatMap((kind) => filters.find(([label]) => label === kind)?.[1] ?? [])
  const found = listed
    .toReversed()
    .filter((entry) => wanted === '' || textOf(entry).includes(wanted))
    .filter((entry) => tests.every((test) => test(entry)))
  const groups = groupRepeats(found)
  const slowest = Math.max(0, ...found.slice(0, shown).map(({ ms }) => ms))
  const chosen = entries.value.find((entry) => keyOf(entry) === name)

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
    if (step === undefined || (event.target as Element).closest('input, aside')) return
    const at = groups.findIndex(({ entry }) => keyOf(entry) === name)
    const next = groups[Math.max(0, Math.min(groups.length - 1, at + step))]
    if (next) go(hrefOf('requests', keyOf(next.entry), params), true)
    event.preventDefault()
  }

  const toggle = (kind: string): void => {
    const next = kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind]
    setParams({ kind: next.join(',') }, true)
  }
  return (
    <section
      class={`data ${name === '' ? '' : 'with-record'}`}
      aria-label="Requests"
      onKeyDown={press}
    >
      <div class="list">
        <header class="bar">
          <h2>Requests</h2>
          <span class="dim number" role="status">
            {found.length} of {entries.value.length}
          </span>
          <span class="gap" />
          <Press
            icon={paused ? Play : Pause}
            text={paused ? 'Resume' : 'Pause'}
            aria-pressed={paused !== undefined}
            run={() => setPaused(paused ? undefined : entries.value)}
          />
          <DownloadButton path="log.har" file="mock.har" text="HAR" />
          <DownloadButton path="log.curl" file="mock.sh" text="curl" />
          <Press text="Clear" run={clearLog} />
        </header>
        <div class="filters" role="search">
          <TextInput
            type="search"
            dir="auto"
            label="Search requests"
            placeholder="Method, path, status, session or reason"
            value={text}
            onText={(next) => setParams({ q: next }, true)}
          />
          <div class="chips" role="group" aria-label="Filter">
            {filters.map(([label]) => (
              <Press
                text={label}
                key={label}
                aria-pressed={kinds.includes(label)}
                run={() => toggle(label)}
              />
            ))}
          </div>
        </div>
        {found.length === 0 ? (
          <NoRequests isFiltered={text !== '' || kinds.length > 0} />
        ) : (
          <div class="scroll" role="region" aria-label="History" tabIndex={0}>
            <table class="requests">
              <thead>
                <tr>
                  {requestColumns.map(([kind, title]) => (
                    <th
                      key={title}
                      scope="col"
                      class={kind}
                      style={{ width: widths[title] && `${widths[title]}px` }}
                    >
                      {title}
                      <span
                        class="resize"
                        aria-hidden="true"
                        onPointerDown={(event) => {
                          const { offsetWidth = 0 } = event.currentTarget.parentElement ?? {}
                          dragWidth(event, offsetWidth, (next) => resize(title, next))
                        }}
                        onDblClick={() => resize(title, undefined)}
                      />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {groups.slice(0, shown).map(({ entry, repeats }) => (
                  <RequestRow
                    key={keyOf(entry)}
                    {...{ entry, repeats, slowest, params }}
                    isChosen={entry === chosen}
                  />
                ))}
              </tbody>
            </table>
            {groups.length > shown && (
              <Press
                text={`Show ${Math.min(pageSize, groups.length - shown)} more`}
                run={() => setShown(shown + pageSize)}
              />
            )}
          </div>
        )}
      </div>
      {name !== '' && <ExchangePanel key={name} entry={chosen} />}
    </section>
  )
}

/** The widths of the columns that were resized, in pixels, by their titles. */
type Widths = Readonly<Record<string, number | undefined>>

/** Says how requests get here. */
function NoRequests({ isFiltered }: { isFiltered: boolean }): VNode {
  const [first] = state.value?.resources ?? []
  return (
    <div class="empty">
      <Icon of={Activity} />
      {isFiltered ? (
        <p>No request matches.</p>
      ) : (
        <>
          <p>No requests yet. Requests of the application appear here. Try one:</p>
          <CopyLine
            label="the line"
            text={`await fetch('${location.origin}${first?.path ?? '/'}').then((response) => response.json())`}
          />
        </>
      )}
    </div>
  )
}

/** The number of rows at first, and of those that a button adds. */
const pageSize = 200

/** The filters by their labels. */
const filters: readonly (readonly [label: string, test: (entry: LogEntry) => boolean])[] = [
  ['2xx', ({ status }) => status >= 200 && status < 300],
  ['4xx', ({ status }) => status >= 400 && status < 500],
  ['5xx', ({ status }) => status >= 500 || status === 0],
  ['Writes', ({ method }) => !/^(?:GET|HEAD|QUERY|OPTIONS)$/.test(method)],
  ['Unusual only', ({ reason }) => reason !== ''],
]

function textOf({ method, url, status, reason, headers }: LogEntry): string {
  const session = headers['x-mock-session'] ?? ''
  return `${method} ${url} ${status || 'dropped'} ${reason} ${session}`.toLowerCase()
}

/** Joins equal requests that follow each other, such as polls; the last one stands for all. */
function groupRepeats(found: readonly LogEntry[]): { entry: LogEntry; repeats: number }[] {
  const groups: { entry: LogEntry; repeats: number }[] = []
  for (const entry of found) {
    const last = groups.at(-1)
    const isSame =
      entry.method === 'GET' &&
      (['method', 'url', 'status', 'reason'] as const).every(
        (key) => last?.entry[key] === entry[key],
      )
    if (last && isSame) last.repeats++
    else groups.push({ entry, repeats: 1 })
  }
  return groups
}

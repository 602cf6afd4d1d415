import type { VNode } from 'preact'
import type { LogEntry } from '../../core/log/log.ts'
import { keyOf } from '../app/live.ts'
import { go, hrefOf } from '../app/router.ts'
import { withCommas } from '../parts/with-commas.ts'

/** The columns of a list of requests: the class, the title and whether it has numbers. */
export const requestColumns: readonly (readonly [kind: string, title: string])[] = [
  ['c-time', 'Time'],
  ['c-method', 'Method'],
  ['url', 'URL'],
  ['c-status', 'Status'],
  ['c-ms number', 'Duration'],
  ['c-size number', 'Size'],
  ['c-reason', 'Reason'],
]

/** Shows a request of the log as a row, which opens it. A poll that repeats is one row with a number. */
export function RequestRow(props: RequestRowProps): VNode {
  const { entry, isChosen = false, repeats = 1, slowest = 0, params } = props
  const { time, method, url, status, ms, bytes, reason } = entry
  const href = hrefOf('requests', keyOf(entry), params)
  return (
    <tr
      class={isChosen ? 'chosen' : ''}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => go(href)}
    >
      <td class="c-time dim number">{new Date(time).toTimeString().slice(0, 8)}</td>
      <td class="c-method">
        <span class={`method ${method}`}>{method}</span>
      </td>
      <td class="url" title={url}>
        <a href={href}>{url}</a>
      </td>
      <td class="c-status">
        <StatusBadge status={status} />
        {repeats > 1 && (
          <>
            {' '}
            <span class="dim" title={`${repeats} equal requests`}>
              ×{repeats}
            </span>
          </>
        )}
      </td>
      <td class="c-ms number">
        <span class="duration">
          {Math.round(ms)} ms
          <i aria-hidden="true">
            <b style={{ width: `${Math.round((100 * ms) / Math.max(1, slowest))}%` }} />
          </i>
        </span>
      </td>
      <td class="c-size dim number">{bytes === 0 ? '' : formatBytes(bytes)}</td>
      <td class="c-reason dim" title={reason}>
        {reason}
      </td>
    </tr>
  )
}

interface RequestRowProps {
  entry: LogEntry
  isChosen?: boolean
  /** How often equal requests follow each other. */
  repeats?: number
  /** The duration that fills the bar, in milliseconds. */
  slowest?: number
  /** The parameters of the place, which stay. */
  params?: Readonly<Record<string, string>>
}

/** Shows the status of a response in the colour of its class. */
export function StatusBadge({ status, text = '' }: { status: number; text?: string }): VNode {
  const tone =
    status >= 500 || status === 0 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'info' : 'good'
  return <span class={`badge tone-${tone}`}>{`${status || 'dropped'} ${text}`.trim()}</span>
}

/** A size in bytes for a person: `812 B`, `3.2 kB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${withCommas(Math.round(bytes / 100) / 10)} kB`
}

import type { VNode } from 'preact'
import type { LogEntry } from '../../core/log/log.ts'
import { ask } from '../control.ts'
import { Pairs } from '../parts/controls.tsx'
import { tryJson } from '../parts/try-json.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { overlaps } from '../switches/rules-switch.tsx'
import type { Exchange } from './exchange.ts'

/** Shows the way of a request through the mock: what applied to it, its route, its query and what was found. */
export function AnswerPath({ entry, exchange }: AnswerPathProps): VNode {
  const { method, url, status, reason, headers, ms } = entry
  const routes = useLoaded(async () => ask<Route[]>('routes'), []) ?? []
  const near = useLoaded(
    async () =>
      status === 404
        ? ask<Near[]>('log/explain', { method: 'POST', input: { method, url } })
        : undefined,
    [entry.time],
  )
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2)
  const route = routes.find((one) => overlaps(one.path, path))
  const header = (wanted: string): string | undefined =>
    exchange.response.headers.find(({ name }) => name.toLowerCase() === wanted)?.value
  const total = header('x-total-count') ?? header('content-range')
  const body = parse(exchange.response.content.text)
  const steps: [title: string, text: VNode | string | undefined][] = [
    ['Session', headers['x-mock-session']],
    ['Rules, faults, delays', reason || 'none of them applied'],
    [
      'Route',
      route ? (
        <>
          <code>
            {method} {route.path}
          </code>{' '}
          of {route.resource} ({route.kind})
        </>
      ) : (
        'no route has this path'
      ),
    ],
    ['Query', query === '' ? undefined : <Pairs pairs={[...new URLSearchParams(query)]} />],
    [
      'Found',
      Array.isArray(body)
        ? `${body.length}${total === undefined ? '' : ` of ${total}`} records`
        : undefined,
    ],
    ['Cache', status === 304 ? 'the client has this version: no body' : header('etag')],
    ['Answer', `${status || 'dropped'} after ${ms.toFixed(1)} ms`],
  ]
  return (
    <section class="why" aria-label="Why this answer">
      <h3>Why this answer</h3>
      <ol>
        {steps.map(
          ([title, text]) =>
            text !== undefined && (
              <li key={title}>
                <span class="dim">{title}</span>
                <div>{text}</div>
              </li>
            ),
        )}
      </ol>
      {near && near.length > 0 && (
        <>
          <h3>The nearest routes and rules</h3>
          <ul>
            {near.map((one, at) => (
              <li key={at}>
                <code>{one.on}</code>: {one.differences.join(', ')}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

interface AnswerPathProps {
  entry: LogEntry
  exchange: Exchange
}

interface Route {
  path: string
  resource: string
  kind: string
}

/** A route or rule that nearly matches a request. */
interface Near {
  on: string
  differences: string[]
}

/** The list in a body: the body itself, or the only list in an envelope; any other body as it is. */
function parse(text = ''): unknown {
  const value = tryJson(text)
  const lists = Object.values(value ?? {}).filter(Array.isArray)
  return !Array.isArray(value) && lists.length === 1 ? lists[0] : value
}

import { tryJson } from '../../core/json/json.ts'
import { Ban, Copy, Ellipsis, Hourglass, MessageSquareReply, PencilLine, Repeat, X } from 'lucide'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { LogEntry } from '../../core/log/log.ts'
import { report } from '../app/notices.ts'
import { go, hrefOf, place } from '../app/router.ts'
import { refresh } from '../app/state.ts'
import { ask } from '../control.ts'
import { Press, ActionDialog, Pairs, TextInput, Tabs, Icon } from '../parts/controls.tsx'
import { copyText } from '../parts/copy-text.ts'
import { JsonText, pretty } from '../parts/json-text.tsx'
import { Menu } from '../parts/menu.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { withCommas } from '../parts/with-commas.ts'
import { change } from '../switches/use-control.ts'
import { copyForms } from './copy-as.ts'
import {
  askExchange,
  isRedacted,
  toDraft,
  withoutRedacted,
  type Content,
  type Draft,
  type Exchange,
  type Pair,
} from './exchange.ts'
import { formatBytes, StatusBadge } from './request-row.tsx'
import { sendDraft, startDraft } from './send.ts'
import { overlaps } from '../switches/rules-switch.tsx'

/**
 * Shows a request of the log beside the list: its response, headers and bodies, and why the mock gave this
 * response.
 */
export function ExchangePanel({ entry }: { entry: LogEntry | undefined }): VNode {
  const exchange = useLoaded(async () => entry && askExchange(entry), [entry?.time])
  const [tab, setTab] = useState('Response')
  const title = entry ? `${entry.method} ${entry.url}` : 'Request'
  const { params } = place.value
  return (
    <aside class="record" aria-label="Request and response">
      <header class="bar">
        <h2 title={title}>{title}</h2>
        <span class="gap" />
        <a class="button icon" href={hrefOf('requests', '', params)} aria-label="Close the request">
          <Icon of={X} />
        </a>
      </header>
      {!entry && <p class="empty">The log no longer has this request.</p>}
      {entry && (
        <p class="bar">
          <StatusBadge status={entry.status} />
          <span class="dim number">
            {entry.ms.toFixed(1)} ms, {withCommas(entry.bytes)} bytes
          </span>
        </p>
      )}
      {entry && exchange && (
        <>
          <Actions draft={toDraft(exchange)} status={entry.status} exchange={exchange} />
          <Tabs names={['Response', 'Request', 'Why']} active={tab} onChoose={setTab} />
          {tab !== 'Why' && (
            <p>
              <span class="dim">Reason:</span>{' '}
              {entry.reason || 'a usual answer, without rules, faults or delays'}
            </p>
          )}
          {tab === 'Response' && (
            <Message headers={exchange.response.headers} body={exchange.response.content} />
          )}
          {tab === 'Request' && (
            <Message headers={exchange.request.headers} body={exchange.request.postData} />
          )}
          {(tab === 'Why' || entry.status === 404) && <AnswerPath {...{ entry, exchange }} />}
        </>
      )}
    </aside>
  )
}

function Actions({ draft, status, exchange }: ActionsProps): VNode {
  const [isAnswering, setAnswering] = useState(false)
  async function copy(form: string): Promise<void> {
    await copyText(copyForms[form]?.(draft, status) ?? '', `Copied as ${form}.`)
  }
  async function replay(): Promise<void> {
    const { rest, removed } = withoutRedacted(draft)
    const { status: next } = await sendDraft(rest)
    const without = removed.length > 0 ? ` without ${removed.join(', ')}, which the log hides` : ''
    report(`Sent again${without}: ${next}.`)
  }
  const edit = (): void => {
    startDraft(draft)
    go(hrefOf('send'))
  }
  const on = `${draft.method} ${draft.url.split('?', 1)[0]}`
  return (
    <>
      <div class="bar">
        <Press icon={Repeat} text="Replay" kind="main" run={replay} />
        <Press icon={PencilLine} text="Edit and send" run={edit} />
        {Object.keys(copyForms).map((form) => (
          <Press
            icon={Copy}
            text={form}
            key={form}
            label={`Copy as ${form}`}
            run={() => copy(form)}
          />
        ))}
        <Menu label="Change this answer" icon={Ellipsis} text="Next time" class="">
          <Press
            icon={Ban}
            text="Make this request fail"
            run={() => addRule({ on, status: 500 }, `${on} answers 500 from now on.`)}
          />
          <Press
            icon={Hourglass}
            text="Make it slow"
            run={() => addRule({ on, delay: 2000 }, `${on} takes 2 s longer from now on.`)}
          />
          <Press
            icon={MessageSquareReply}
            text="Answer with another body…"
            run={() => setAnswering(true)}
          />
        </Menu>
      </div>
      {isRedacted(draft) && (
        <p class="dim">The log keeps no secrets. Edit the request to fill in what is redacted.</p>
      )}
      {isAnswering && (
        <AnswerDialog
          on={on}
          status={status}
          text={exchange.response.content.text ?? '{}'}
          onEnd={() => setAnswering(false)}
        />
      )}
    </>
  )
}

interface ActionsProps {
  draft: Draft
  status: number
  exchange: Exchange
}

async function addRule(rule: object, text: string): Promise<void> {
  if (await change('rules', 'POST', rule)) report(text)
}

/** Adds a rule that answers a request with another status and body, beginning with those of its last answer. */
function AnswerDialog({ on, status, text, onEnd }: AnswerDialogProps): VNode {
  const [pattern, setPattern] = useState(on)
  const [code, setCode] = useState(String(status || 200))
  const [body, setBody] = useState(pretty(text))
  const run = async (): Promise<void> => {
    await ask('rules', {
      method: 'POST',
      input: { on: pattern, status: Number(code), body: JSON.parse(body) as unknown },
    })
    report(`${pattern} has another answer now.`)
    await refresh()
  }
  return (
    <ActionDialog title="Answer otherwise" button="Add the rule" run={run} onEnd={onEnd}>
      <div class="rule">
        <label>
          Requests
          <TextInput value={pattern} onText={setPattern} />
        </label>
        <label>
          Status
          <TextInput value={code} onText={setCode} />
        </label>
      </div>
      <JsonText label="Body" text={body} onInput={setBody} onSave={() => undefined} />
    </ActionDialog>
  )
}

interface AnswerDialogProps {
  on: string
  status: number
  text: string
  onEnd(): void
}

/** The headers and the body of a message. */
function Message({
  headers,
  body,
}: {
  headers: readonly Pair[]
  body: Content | undefined
}): VNode {
  const header = (wanted: string): string =>
    headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? ''
  const length = body?.size || Number(header('content-length'))
  const media = (body?.mimeType || header('content-type')).split(';', 1)[0]
  const text = body?.encoding === 'base64' ? undefined : body?.text
  return (
    <>
      <h3>Body</h3>
      {text ? (
        <JsonText label="Body" text={pretty(text)} />
      ) : length > 0 ? (
        <p class="dim">
          {formatBytes(length)} of {media || 'an unknown type'}, which the log does not keep as
          text.
        </p>
      ) : (
        <p class="dim">No body.</p>
      )}
      <h3>Headers</h3>
      <Pairs pairs={headers.map(({ name, value }) => [name, value])} />
    </>
  )
}

/** Shows the way of a request through the mock: what applied to it, its route, its query and what was found. */
function AnswerPath({ entry, exchange }: AnswerPathProps): VNode {
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

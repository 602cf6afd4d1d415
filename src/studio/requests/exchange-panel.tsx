import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../control.ts'
import type { LogEntry } from '../../core/log/log.ts'
import { report } from '../app/notices.ts'
import { go, hrefOf } from '../app/router.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { copyText } from '../parts/copy-text.ts'
import { Tabs } from '../parts/tabs.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { withCommas } from '../parts/with-commas.ts'
import { copyForms } from './copy-as.ts'
import { askExchange, type Draft, isRedacted, type Pair, toDraft } from './exchange.ts'
import { sendDraft, startDraft } from './send.ts'

/**
 * Shows a request of the log beside the list: its response, headers and bodies, and why the mock gave this
 * response.
 */
export function ExchangePanel({ entry }: { entry: LogEntry | undefined }): VNode {
  const exchange = useLoaded(async () => entry && askExchange(entry), [entry?.time])
  const [tab, setTab] = useState('Response')
  const title = entry ? `${entry.method} ${entry.url}` : 'Request'
  return (
    <aside class="record" aria-label="Request and response">
      <header class="bar">
        <h2 title={title}>{title}</h2>
        <span class="gap" />
        <a class="button icon" href={hrefOf('requests')} aria-label="Close the request">
          ×
        </a>
      </header>
      {!entry && <p class="empty">The log does not have this request any more.</p>}
      {entry && <Outcome entry={entry} />}
      {entry && exchange && (
        <>
          <Actions draft={toDraft(exchange)} status={entry.status} />
          <Tabs names={['Response', 'Request']} active={tab} onChoose={setTab} />
          {tab === 'Response' ? (
            <Message headers={exchange.response.headers} text={exchange.response.content.text} />
          ) : (
            <Message headers={exchange.request.headers} text={exchange.request.postData?.text} />
          )}
        </>
      )}
    </aside>
  )
}

/** The status, and why the mock answered so. */
function Outcome({ entry }: { entry: LogEntry }): VNode {
  const { status, ms, bytes, reason } = entry
  const isUnmatched = status === 404 || status === 405
  const near = useLoaded(async () => (isUnmatched ? askNear(entry) : []), [entry.time])
  return (
    <div class="outcome">
      <p>
        <strong class={status >= 400 || status === 0 ? 'bad' : 'good'}>
          {status || 'dropped'}
        </strong>{' '}
        <span class="dim">
          {ms.toFixed(1)} ms, {withCommas(bytes)} bytes
        </span>
      </p>
      <p>
        <span class="dim">Reason:</span>{' '}
        {reason || 'a usual answer, without rules, faults or delays'}
      </p>
      {near && near.length > 0 && (
        <>
          <p class="dim">The nearest routes and rules:</p>
          <ul>
            {near.map((one, at) => (
              <li key={at}>
                <code>{one.on}</code>: {one.differences.join(', ')}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** A route or rule that nearly matches a request. */
interface Near {
  on: string
  differences: string[]
}

async function askNear({ method, url }: LogEntry): Promise<Near[]> {
  return ask('log/explain', { method: 'POST', input: { method, url } })
}

function Actions({ draft, status }: { draft: Draft; status: number }): VNode {
  async function copy(form: string): Promise<void> {
    await copyText(copyForms[form]?.(draft, status) ?? '')
    report(`Copied as ${form}.`)
  }
  async function replay(): Promise<void> {
    const { status } = await sendDraft(draft)
    report(`Sent again: ${status}.`)
  }
  const edit = (): void => {
    startDraft(draft)
    go(hrefOf('send'))
  }
  return (
    <div class="bar">
      <ActionButton class="main" onPress={replay}>
        Replay
      </ActionButton>
      <button type="button" onClick={edit}>
        Edit and send
      </button>
      {Object.keys(copyForms).map((form) => (
        <ActionButton key={form} onPress={async () => copy(form)}>
          Copy as {form}
        </ActionButton>
      ))}
      {isRedacted(draft) && (
        <p class="dim">The log keeps no secrets. Edit the request to fill in what is redacted.</p>
      )}
    </div>
  )
}

/** The headers and the body of a message. */
function Message({ headers, text }: { headers: readonly Pair[]; text: string | undefined }): VNode {
  return (
    <>
      <h3>Headers</h3>
      <dl class="headers">
        {headers.map(({ name, value }, at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <h3>Body</h3>
      {text ? (
        <pre class="json" tabIndex={0}>
          {pretty(text)}
        </pre>
      ) : (
        <p class="dim">No body.</p>
      )}
    </>
  )
}

/** Indents a text that is JSON. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { session } from '../control.ts'
import { state, toMessage } from '../app/state.ts'
import { JsonEditor } from '../parts/json-editor.tsx'
import { withCommas } from '../parts/with-commas.ts'
import { pretty } from './exchange-panel.tsx'
import { draft, type Sent, sendDraft, startDraft } from './send.ts'

/** A form that sends a request to the mock, and shows the response. */
export function SendView(): VNode {
  const { method, url, headers, body } = draft.value
  const [outcome, setOutcome] = useState<Sent | string | undefined>()
  const last = useRef(0)

  async function send(): Promise<void> {
    const turn = ++last.current
    setOutcome('Waiting…')
    const next = await sendDraft(draft.value).catch(
      (error: unknown) => `No response: ${toMessage(error)}`,
    )
    if (turn === last.current) setOutcome(next)
  }

  const put = (changed: Partial<typeof draft.value>): void =>
    startDraft({ ...draft.value, ...changed })
  const lines = headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return (
    <section class="data page" aria-label="Send a request">
      <h2>Send a request</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div class="bar request-line">
          <select
            aria-label="Method"
            value={method}
            onChange={({ currentTarget }) => put({ method: currentTarget.value })}
          >
            {methods.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <input
            aria-label="Path"
            list="paths"
            value={url}
            spellcheck={false}
            onInput={({ currentTarget }) => put({ url: currentTarget.value })}
          />
          <datalist id="paths">
            {state.value?.resources.map(({ path }) => (
              <option key={path} value={path} />
            ))}
          </datalist>
          <button class="main">Send</button>
        </div>
        <label for="headers">Headers, one a line</label>
        <HeadersField key={lines} lines={lines} onChange={(next) => put({ headers: next })} />
        {session !== null && <p class="dim">The request names the session "{session}".</p>}
        {!/^(?:GET|HEAD)$/.test(method) && (
          <>
            <h3>Body</h3>
            <JsonEditor
              label="Body"
              text={body}
              onInput={(text) => put({ body: text })}
              onSave={() => void send()}
            />
          </>
        )}
      </form>
      <div aria-live="polite">
        {typeof outcome === 'string' && (
          <p class={outcome === 'Waiting…' ? 'dim' : 'problem'}>{outcome}</p>
        )}
        {typeof outcome === 'object' && (
          <>
            <p class={outcome.status < 400 ? 'good' : 'bad'}>
              {outcome.status} {outcome.statusText}, {withCommas(outcome.text.length)} characters,{' '}
              {Math.round(outcome.ms)} ms
            </p>
            <pre class="json" tabIndex={0}>
              {pretty(outcome.text)}
            </pre>
            <details>
              <summary>Headers</summary>
              <pre>{outcome.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
            </details>
          </>
        )}
      </div>
    </section>
  )
}

const methods = ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface HeadersFieldProps {
  lines: string
  onChange(headers: [string, string][]): void
}

/** Headers as lines of `Name: value`, which are read when the field loses the focus. */
function HeadersField({ lines, onChange }: HeadersFieldProps): VNode {
  const read = (text: string): [string, string][] =>
    text.split('\n').flatMap((line): [string, string][] => {
      const [, name, value] = /^([^:]+):(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name.trim(), value?.trim() ?? '']]
    })
  return (
    <textarea
      id="headers"
      rows={2}
      spellcheck={false}
      placeholder="Authorization: Bearer …"
      defaultValue={lines}
      onChange={({ currentTarget }) => onChange(read(currentTarget.value))}
    />
  )
}

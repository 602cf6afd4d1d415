import { Plus, SendHorizontal } from 'lucide'
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { isSame } from '../../core/json/json.ts'
import { ask, findRows, session } from '../control.ts'
import { findResource, hasBehaviour, revision, state, toMessage } from '../app/state.ts'
import { labelOf } from '../../core/json/label-of.ts'
import {
  Choice,
  Form,
  Page,
  Pairs,
  Suggestions,
  TextInput,
  Tabs,
  Press,
  Cross,
  Icon,
} from '../parts/controls.tsx'
import { JsonText, pretty } from '../parts/json-text.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { withCommas } from '../parts/with-commas.ts'
import type { Draft } from './exchange.ts'
import { StatusBadge } from './request-row.tsx'
import {
  draft,
  forbiddenHeaders,
  noteSent,
  refusalOf,
  sendDraft,
  sentDrafts,
  startDraft,
  type Sent,
  type SentDraft,
} from './send.ts'

/** A form that sends a request to the mock, and shows the response. */
export function SendView(): VNode {
  const { method, url, headers, body, user } = draft.value
  const [outcome, setOutcome] = useState<Outcome | undefined>()
  const last = useRef(0)
  const hasBody = !/^(?:GET|HEAD)$/.test(method)
  const [path = '', query = ''] = url.split(/\?(.*)/s, 2)
  const resources = state.value?.resources ?? []
  const resource = resources.find((one) => path === one.path || path.startsWith(`${one.path}/`))
  const parameters = useParameters(method, resource?.path)
  const users = useUsers()

  async function send(): Promise<void> {
    const sent = draft.value
    const turn = ++last.current
    const refusal = refusalOf(sent)
    if (refusal !== '') return setOutcome({ sent, problem: refusal })
    setOutcome({ sent })
    noteSent(sent)
    const next = await sendDraft(sent).then(
      (response): Outcome => ({ sent, response }),
      (error: unknown): Outcome => ({ sent, problem: `No response: ${toMessage(error)}` }),
    )
    if (turn === last.current) setOutcome(next)
  }

  const put = (changed: Partial<Draft>): void => startDraft({ ...draft.value, ...changed })
  async function fillBody(): Promise<void> {
    if (!resource) return
    const { name, idField = 'id' } = resource
    const [example = {}] = await findRows(name, { limit: 1 })
    const { [idField]: _id, ...rest } = example
    put({ body: JSON.stringify(rest, null, 2) })
  }
  const ignored = forbiddenHeaders(draft.value)
  return (
    <Page
      title="Send a request"
      status={session !== null && `The request names the session "${session}".`}
    >
      <Form class="form" onSubmit={send}>
        <div class="bar request-line">
          <Choice
            label="Method"
            class={`method ${method}`}
            value={method}
            options={methods}
            onChoose={(next) => put({ method: next })}
          />
          <TextInput
            label="Path"
            list="paths"
            value={url}
            onText={(text) => put({ url: ownPath(text) })}
          />
          <Suggestions id="paths" texts={resources.map((one) => one.path)} />
          <button class="main">
            <Icon of={SendHorizontal} />
            Send
          </button>
        </div>
        {users.length > 0 && (
          <label>
            Send as
            <Choice
              value={user ?? ''}
              options={[['', 'nobody'], ...users]}
              onChoose={(id) => {
                const { user: _user, ...rest } = draft.value
                startDraft(id === '' ? rest : { ...rest, user: id })
              }}
            />
          </label>
        )}
        <h3>Parameters</h3>
        <PairTable
          what="parameter"
          pairs={[...new URLSearchParams(query)]}
          names={parameters}
          onChange={(pairs) => put({ url: withQuery(path, pairs) })}
        />
        <h3>Headers</h3>
        <PairTable
          what="header"
          pairs={headers}
          names={usualHeaders}
          onChange={(pairs) => put({ headers: pairs })}
        />
        {ignored.length > 0 && (
          <p class="warn">
            A browser does not let a page send {ignored.join(', ')}. Copy the request as curl to
            send it.
          </p>
        )}
        {hasBody && (
          <>
            <div class="bar">
              <h3>Body</h3>
              {resource?.kind === 'collection' && (
                <Press text="Fill with an example" kind="plain" run={fillBody} />
              )}
            </div>
            <JsonText
              label="Body"
              text={body}
              onInput={(text) => put({ body: text })}
              onSave={() => void send()}
            />
          </>
        )}
      </Form>
      <div aria-live="polite" class={outcome && !isSame(outcome.sent, draft.value) ? 'stale' : ''}>
        {outcome && <OutcomeView {...outcome} />}
      </div>
      {sentDrafts.value.length > 0 && (
        <>
          <h3>Sent before</h3>
          <ul class="lines">
            {sentDrafts.value.map((one, at) => (
              <li key={at}>
                <button type="button" class="plain" onClick={() => startDraft(withoutName(one))}>
                  <span class={`method ${one.method}`}>{one.method}</span>
                  <span class="name">{one.url}</span>
                  {one.user !== undefined && <span class="dim">as {one.user}</span>}
                </button>
                <input
                  class="quiet"
                  aria-label={`Name of ${one.method} ${one.url}`}
                  placeholder="Name it to keep it"
                  value={one.name}
                  onChange={({ currentTarget }) => noteSent({ ...one, name: currentTarget.value })}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  )
}

function withoutName({ name: _name, ...draft }: SentDraft): Draft {
  return draft
}

/** The users of the mock as whom a request can be sent, by id with their names; none without `auth`. */
function useUsers(): (readonly [id: string, name: string])[] {
  const load = async (): Promise<(readonly [string, string])[]> => {
    if (!hasBehaviour('auth')) return []
    const { users } = await ask<{ users: string }>('auth')
    const { idField = 'id' } = findResource(users) ?? {}
    const records = await findRows(users, { limit: 200 })
    return records.map((record) => [String(record[idField]), labelOf(record)])
  }
  return useLoaded(load, [revision.value]) ?? []
}

/** A request that was sent, and its response or why there is none; neither while it is on its way. */
interface Outcome {
  sent: Draft
  response?: Sent
  problem?: string
}

function OutcomeView({ response, problem }: Outcome): VNode {
  const [tab, setTab] = useState('Body')
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!response) return <p class="dim">Waiting…</p>
  const { status, statusText, text, ms, headers } = response
  return (
    <>
      <p>
        <StatusBadge status={status} text={statusText} />, {withCommas(text.length)} characters,{' '}
        {Math.round(ms)} ms
      </p>
      <Tabs names={['Body', 'Headers']} active={tab} onChoose={setTab} />
      {tab === 'Body' ? (
        text !== '' && <JsonText label="Response" text={pretty(text)} />
      ) : (
        <Pairs pairs={headers} />
      )}
    </>
  )
}

const methods = ['GET', 'HEAD', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const usualHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Prefer',
  'X-Mock-Session',
]

/** A URL of this mock as its path; anything else as it is. */
function ownPath(text: string): string {
  return text.startsWith(`${location.origin}/`) ? text.slice(location.origin.length) : text
}

function withQuery(path: string, pairs: readonly (readonly [string, string])[]): string {
  const query = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString()
  return query === '' ? path : `${path}?${query}`
}

/** The parameters that the mock takes for a request to a path, by its OpenAPI document. */
function useParameters(method: string, path: string | undefined): string[] {
  const document = useLoaded(
    async () => ask<ApiDocument>('openapi.json').catch((): ApiDocument => ({})),
    [],
  )
  const { parameters = [] } = document?.paths?.[path ?? '']?.[method.toLowerCase()] ?? {}
  const known = document?.components?.parameters ?? {}
  return parameters.flatMap(({ $ref, ...own }) => {
    const { name, in: place } =
      $ref === undefined ? own : (known[$ref.split('/').at(-1) ?? ''] ?? {})
    return name !== undefined && place === 'query' ? [name] : []
  })
}

/** The part of an OpenAPI document that the page reads. */
interface ApiDocument {
  paths?: Record<string, Record<string, { parameters?: Parameter[] }>>
  components?: { parameters?: Record<string, Parameter> }
}

interface Parameter {
  $ref?: string
  name?: string
  in?: string
}

/** Names with values as rows of inputs, such as headers. An empty row at the end adds one. */
function PairTable({ what, pairs, names, onChange }: PairTableProps): VNode {
  const rows = [...pairs, ['', ''] as const]
  const id = `${what}-names`
  const set = (at: number, pair: readonly [string, string]): void =>
    onChange([...pairs.slice(0, at), pair, ...pairs.slice(at + 1)])
  return (
    <div class="pairs" role="group" aria-label={`${what}s`}>
      {rows.map(([name, value], at) => (
        <div key={at} class="line">
          <TextInput
            label={`Name of ${what} ${at + 1}`}
            placeholder="Name"
            list={id}
            value={name}
            onText={(text) => set(at, [text, value])}
          />
          <TextInput
            label={`Value of ${what} ${at + 1}`}
            placeholder="Value"
            value={value}
            onText={(text) => set(at, [name, text])}
          />
          {at < pairs.length ? (
            <Cross
              label={`Remove ${what} ${at + 1}`}
              run={() => onChange(pairs.filter((_, index) => index !== at))}
            />
          ) : (
            <span class="icon" aria-hidden="true">
              <Icon of={Plus} />
            </span>
          )}
        </div>
      ))}
      <Suggestions id={id} texts={names} />
    </div>
  )
}

interface PairTableProps {
  what: string
  pairs: readonly (readonly [name: string, value: string])[]
  /** The names to suggest. */
  names: readonly string[]
  onChange(pairs: (readonly [name: string, value: string])[]): void
}

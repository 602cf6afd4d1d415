import {
  AlarmClock,
  Clapperboard,
  Database,
  Hourglass,
  RotateCcw,
  UsersRound,
  FileJson,
  Zap,
} from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { undoPrefix, resetMock } from '../app/confirm.tsx'
import { describeOffset } from '../app/header.tsx'
import { hasBehaviour, state } from '../app/state.ts'
import { status, type FaultRule } from '../app/status.ts'
import { Press, Choice, Page, Cross } from '../parts/controls.tsx'
import { Group } from './group.tsx'
import { RuleForm, toEffects, toNumber, type RuleInput } from './rule-form.tsx'
import { RulesSwitch } from './rules-switch.tsx'
import { change, useControl } from './use-control.ts'
import { session } from '../control.ts'

/** Shows the switches of the mock: snapshots, scenarios, delays, faults, rules, the clock and sessions. */
export function SwitchesView(): VNode {
  return (
    <Page
      title="Switches"
      status="They change the answers of the running mock, and end with a reset."
    >
      <div class="groups">
        <RulesSwitch />
        <FaultsSwitch />
        <DelaySwitch />
        <ScenarioSwitch />
        <ClockSwitch />
        <SnapshotSwitch />
        <SessionsSwitch />
        {hasBehaviour('operations') && <OperationsGroup />}
      </div>
    </Page>
  )
}

function SnapshotSwitch(): VNode {
  const names = (state.value?.snapshots ?? []).filter((name) => !name.startsWith(undoPrefix))
  return (
    <Group title="Data" icon={Database} text="Snapshots keep the data of now, to come back to it.">
      <RuleForm
        inputs={[['name', 'Name of the snapshot', nextName(names)]]}
        button="Save a snapshot"
        onAdd={async ({ name = nextName(names) }) => change('snapshots', 'POST', { name })}
      />
      <ul>
        {names.map((one) => (
          <li key={one}>
            {one}{' '}
            <Press
              text="Restore"
              label={`Restore ${one}`}
              run={() => change(`snapshots/${encodeURIComponent(one)}`, 'POST')}
            />
            <Cross
              label={`Remove ${one}`}
              run={() => change(`snapshots/${encodeURIComponent(one)}`, 'DELETE')}
            />
          </li>
        ))}
      </ul>
      <div class="bar">
        <Press icon={RotateCcw} text="Reset the mock" kind="danger" run={resetMock} />
        <span class="dim">data, rules, ids, clock and log</span>
      </div>
    </Group>
  )
}

function ScenarioSwitch(): VNode {
  const { scenario: active, scenarios } = status.value
  // A scenario may have any name, "none" too.
  const index = active === null ? '' : String(scenarios.indexOf(active))
  return (
    <Group
      title="Scenario"
      icon={Clapperboard}
      text="A named set of data and faults, in place of the fixtures."
      behaviour="scenarios"
      option="--scenario empty"
    >
      <Choice
        label="Scenario"
        value={index}
        options={[['', 'none'], ...scenarios.map((name, at) => [String(at), name] as const)]}
        onChoose={(value) =>
          void change('scenarios', 'PUT', scenarios[Number(value || -1)] ?? null)
        }
      />
    </Group>
  )
}

function DelaySwitch(): VNode {
  const { isDelayed: isOn } = status.value
  return (
    <Group
      title="Delays"
      icon={Hourglass}
      text="Every response of the API waits as the configuration says; this page does not."
      behaviour="delay"
      option="--delay 200-800"
    >
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        onClick={() => void change('delay', 'PUT', { isOn: !isOn })}
      >
        Delay responses
      </button>
    </Group>
  )
}

function nextName(names: readonly string[]): string {
  let number = names.length + 1
  while (names.includes(`snapshot-${number}`)) number++
  return `snapshot-${number}`
}

/** Shows the mock's clock, which can be set and moved forward. */
function ClockSwitch(): VNode {
  const { clockOffset } = status.value
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const time = new Date(now + clockOffset).toISOString()
  const isMoved = Math.abs(clockOffset) > 5000
  return (
    <Group
      title="Clock"
      icon={AlarmClock}
      text="The time of the mock, for expiry, timestamps and limits."
    >
      <p>
        <time dateTime={time} class="number">
          {time.replace(/\.\d+/, '')}
        </time>{' '}
        {isMoved && <span class="badge tone-teal">{describeOffset(clockOffset)}</span>}
      </p>
      <RuleForm
        inputs={[['time', 'Time', '2026-05-01T09:00:00Z']]}
        button="Set"
        onAdd={async ({ time }) => time !== undefined && change('clock', 'PUT', time)}
      />
      <div class="bar">
        {['1m', '1h', '1d'].map((span) => (
          <Press text={`+ ${span}`} key={span} run={() => change('clock/advance', 'POST', span)} />
        ))}
        {isMoved && (
          <Press text="Real time" run={() => change('clock', 'PUT', new Date().toISOString())} />
        )}
      </div>
    </Group>
  )
}

/**
 * Lists the sessions (copies of the mock, one for each client), shows the page of another session, and ends
 * sessions.
 */
function SessionsSwitch(): VNode {
  return (
    <Group
      title="Sessions"
      icon={UsersRound}
      text="A client that names a session by X-Mock-Session has data, rules and a log of its own."
      behaviour="sessions"
      option="--session-ttl 30m"
    >
      <Picker />
    </Group>
  )
}

function Picker(): VNode {
  const sessions = useControl<{ name: string; used: number }[]>('sessions', [])
  return (
    <>
      <ul>
        <li>
          <a href={hrefOf(null)} aria-current={session === null ? 'true' : undefined}>
            shared by all without a session
          </a>
        </li>
        {sessions.map((one) => (
          <li key={one.name}>
            <a href={hrefOf(one.name)} aria-current={session === one.name ? 'true' : undefined}>
              {one.name}
            </a>{' '}
            <Cross
              label={`End the session ${one.name}`}
              run={() => change('sessions', 'DELETE', one.name)}
            />
          </li>
        ))}
      </ul>
      <RuleForm
        inputs={[['name', 'Name of the session', 'test-1']]}
        button="Show the session"
        onAdd={async ({ name }) => {
          if (name !== undefined) location.assign(hrefOf(name))
          return false
        }}
      />
    </>
  )
}

/** The URL of the same place for another session. */
function hrefOf(name: string | null): string {
  const params = new URLSearchParams(location.search)
  if (name === null) params.delete('session')
  else params.set('session', name)
  return `?${params}${location.hash}`
}

interface Operations {
  operations: {
    method: string
    path: string
    action: string
    collection?: string
    isCorrected: boolean
  }[]
  problems: { place: string; reason: string }[]
}

/** Lists what the mock took each operation of its OpenAPI document for, and the parts that it cannot serve. */
function OperationsGroup(): VNode {
  const { operations, problems } = useControl<Operations>('operations', {
    operations: [],
    problems: [],
  })
  return (
    <Group
      title="Operations of the document"
      icon={FileJson}
      text="A line of bind in the configuration, or x-fixtura in the document, corrects one."
    >
      <ul>
        {problems.map(({ place, reason }) => (
          <li key={place} class="danger">
            <code>{place}</code> {reason}
          </li>
        ))}
        {operations.map(({ method, path, action, collection, isCorrected }) => (
          <li key={`${method} ${path}`}>
            <code>
              {method} {path}
            </code>{' '}
            {collection === undefined ? action : `${collection}.${action}`}
            {isCorrected && <span class="dim"> corrected</span>}
          </li>
        ))}
      </ul>
    </Group>
  )
}

/**
 * Lists the faults that the mock injects into responses, and adds and removes faults, one by one or as a
 * profile such as `slow-3g`.
 */
function FaultsSwitch(): VNode {
  const { faults: rules } = status.value
  return (
    <Group
      title="Faults"
      icon={Zap}
      text="Errors, drops and slow answers for a share of the requests, as in a bad network."
      behaviour="faults"
      option="faults: { profile: 'flaky' }"
    >
      <div class="bar">
        <Choice
          label="Profile of faults"
          value={activeProfile(rules)}
          options={[['', rules.length === 0 ? 'none' : 'own faults'], ...Object.keys(profiles)]}
          onChoose={(value) =>
            void change('faults/profile', 'PUT', { profile: value === '' ? null : value })
          }
        />
        <Press text="No faults" run={() => change('faults/rules', 'DELETE')} />
      </div>
      <ul>
        {rules.map((rule, at) => (
          <li key={at}>
            <code>{rule.on ?? '*'}</code> {describe(rule)}{' '}
            <Cross
              label={`Remove the fault ${at + 1}`}
              run={() => change('faults/rules', 'DELETE', rule)}
            />
          </li>
        ))}
      </ul>
      <RuleForm inputs={inputs} button="Add the fault" start={{ status: '503' }} onAdd={add} />
    </Group>
  )
}

/** The profiles, and by what a rule of each is recognised. */
const profiles: Readonly<Record<string, (rule: FaultRule) => boolean>> = {
  'slow-3g': ({ bytesPerSecond }) => bytesPerSecond === 50_000,
  flaky: ({ truncate, probability }) => truncate === 0.5 && probability === 0.05,
  offline: ({ drop, on, probability }) => drop === true && !on && probability === undefined,
  down: ({ status: code, headers }) => code === 503 && retryAfter(headers) === '30',
  'rate-limited': ({ status: code, headers }) => code === 429 && retryAfter(headers) === '60',
}

function retryAfter(headers: unknown): unknown {
  return (headers as Record<string, unknown> | undefined)?.['Retry-After']
}

/** The profile that the active faults come from; empty for none. */
function activeProfile(rules: readonly FaultRule[]): string {
  return Object.entries(profiles).find(([, isOf]) => rules.some(isOf))?.[0] ?? ''
}

/** The effects of a fault in words: `503, 10 % of the requests, 2 left`. */
function describe({ on: _on, times: _times, probability, left, ...effects }: FaultRule): string {
  const texts = Object.entries(effects).map(([name, value]) =>
    name === 'status' ? String(value) : name === 'drop' ? 'dropped' : `${name} ${toText(value)}`,
  )
  if (probability !== undefined) texts.push(`${Math.round(probability * 100)} % of the requests`)
  if (left !== undefined) texts.push(`${left} left`)
  return texts.join(', ')
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const inputs: readonly RuleInput[] = [
  ['on', 'Requests', 'POST /posts'],
  ['status', 'Status', '503, drop'],
  ['delay', 'Delay', '200-800'],
  ['probability', 'Share', '0.1'],
  ['times', 'Times', 'always'],
]

async function add({
  on,
  probability,
  times,
  ...effects
}: Record<string, string>): Promise<boolean> {
  return change('faults/rules', 'POST', {
    ...(on !== undefined && { on }),
    ...toEffects(effects),
    ...(probability !== undefined && { probability: toNumber(probability) }),
    ...(times !== undefined && { times: toNumber(times) }),
  })
}

import { AlarmClock, Clapperboard, Database, Hourglass, RotateCcw, X } from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { undoPrefix } from '../app/confirm.tsx'
import { describeOffset } from '../app/header.tsx'
import { resetMock } from '../app/reset.ts'
import { hasBehaviour, state } from '../app/state.ts'
import { status } from '../app/status.ts'
import { Press } from '../parts/action-button.tsx'
import { Choice, Page } from '../parts/controls.tsx'
import { FaultsSwitch } from './faults-switch.tsx'
import { Group } from './group.tsx'
import { OperationsGroup } from './operations-group.tsx'
import { RuleForm } from './rule-form.tsx'
import { RulesSwitch } from './rules-switch.tsx'
import { SessionsSwitch } from './sessions-switch.tsx'
import { change } from './use-control.ts'

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
            <Press
              icon={X}
              kind="icon"
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

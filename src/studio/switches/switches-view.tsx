import type { VNode } from 'preact'
import { hasBehaviour, state } from '../app/state.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { LineForm } from '../parts/line-form.tsx'
import { FaultsSwitch } from './faults-switch.tsx'
import { Group } from './group.tsx'
import { RulesSwitch } from './rules-switch.tsx'
import { SessionsSwitch } from './sessions-switch.tsx'
import { change, useControl } from './use-control.ts'

/** Shows the switches of the mock: snapshots, scenarios, delays, faults, rules, the clock and sessions. */
export function SwitchesView(): VNode {
  return (
    <section class="data page" aria-label="Switches">
      <h2>Switches</h2>
      <div class="groups">
        <SnapshotSwitch />
        {hasBehaviour('scenarios') && <ScenarioSwitch />}
        {hasBehaviour('delay') && <DelaySwitch />}
        {hasBehaviour('faults') && <FaultsSwitch />}
        <RulesSwitch />
        <ClockSwitch />
        <SessionsSwitch />
      </div>
    </section>
  )
}

function SnapshotSwitch(): VNode {
  const names = state.value?.snapshots ?? []
  return (
    <Group title="Data">
      <div class="bar">
        <ActionButton class="danger" onPress={async () => change('reset', 'POST')}>
          Reset the mock
        </ActionButton>
        <span class="dim">data, rules, ids, clock and log</span>
      </div>
      <LineForm
        label="Name of the snapshot"
        placeholder={nextName(names)}
        button="Save a snapshot"
        onSubmit={async (name) => change('snapshots', 'POST', { name: name || nextName(names) })}
      />
      <ul>
        {names.map((one) => (
          <li key={one}>
            {one}{' '}
            <ActionButton
              label={`Restore ${one}`}
              onPress={async () => change(`snapshots/${encodeURIComponent(one)}`, 'POST')}
            >
              Restore
            </ActionButton>
          </li>
        ))}
      </ul>
    </Group>
  )
}

function ScenarioSwitch(): VNode {
  const { active, scenarios } = useControl<{ active: string | null; scenarios: string[] }>(
    'scenarios',
    { active: null, scenarios: [] },
  )
  // A scenario may have any name, "none" too.
  const index = active === null ? '' : String(scenarios.indexOf(active))
  return (
    <Group title="Scenario">
      <select
        aria-label="Scenario"
        value={index}
        onChange={({ currentTarget }) =>
          void change('scenarios', 'PUT', scenarios[Number(currentTarget.value || -1)] ?? null)
        }
      >
        <option value="">none</option>
        {scenarios.map((name, at) => (
          <option key={name} value={String(at)}>
            {name}
          </option>
        ))}
      </select>
    </Group>
  )
}

function DelaySwitch(): VNode {
  const { isOn } = useControl('delay', { isOn: false })
  return (
    <Group title="Delays">
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
  const { time } = useControl('clock', { time: '' })
  return (
    <Group title="Clock">
      <p>
        <time dateTime={time}>{time}</time>
      </p>
      <LineForm
        label="Time"
        placeholder="2026-05-01T09:00:00Z"
        button="Set"
        onSubmit={async (text) => text !== '' && change('clock', 'PUT', text)}
      />
      <div class="bar">
        {['1m', '1h', '1d'].map((span) => (
          <ActionButton key={span} onPress={async () => change('clock/advance', 'POST', span)}>
            + {span}
          </ActionButton>
        ))}
      </div>
    </Group>
  )
}

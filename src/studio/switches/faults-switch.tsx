import type { VNode } from 'preact'
import { Group } from './group.tsx'
import { change, useControl } from './use-control.ts'

const profiles = ['slow-3g', 'flaky', 'offline', 'down', 'rate-limited']

/** The faults of the mock: its rules, and profiles of them. */
export function FaultsSwitch(): VNode {
  const rules = useControl<Record<string, unknown>[]>('faults', [])
  return (
    <Group title="Faults">
      <div class="bar">
        <select
          aria-label="Profile of faults"
          value=""
          onChange={({ currentTarget }) => {
            change('faults/profile', 'PUT', { profile: currentTarget.value })
            currentTarget.value = ''
          }}
        >
          <option value="">Choose a profile…</option>
          {profiles.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button type="button" onClick={() => change('faults/rules', 'DELETE')}>
          No faults
        </button>
      </div>
      <ul>
        {rules.map((rule, at) => (
          <li key={at}>
            <code>{JSON.stringify(rule)}</code>
          </li>
        ))}
      </ul>
    </Group>
  )
}

import type { VNode } from 'preact'
import { ActionButton } from '../parts/action-button.tsx'
import { Group } from './group.tsx'
import { RuleForm, type RuleInput, toEffects, toNumber } from './rule-form.tsx'
import { change, useControl } from './use-control.ts'

/**
 * Lists the faults that the mock injects into responses, and adds and removes faults, one by one or as a
 * profile such as `slow-3g`.
 */
export function FaultsSwitch(): VNode {
  const rules = useControl<FaultRule[]>('faults', [])
  return (
    <Group title="Faults">
      <div class="bar">
        <select
          aria-label="Profile of faults"
          value=""
          onChange={({ currentTarget }) => {
            void change('faults/profile', 'PUT', { profile: currentTarget.value })
            currentTarget.value = ''
          }}
        >
          <option value="">Choose a profile…</option>
          {profiles.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <ActionButton onPress={async () => change('faults/rules', 'DELETE')}>
          No faults
        </ActionButton>
      </div>
      <ul>
        {rules.map((rule, at) => (
          <li key={at}>
            <code>{rule.on ?? '*'}</code> {describe(rule)}{' '}
            <ActionButton
              class="icon"
              label={`Remove the fault ${at + 1}`}
              onPress={async () => change('faults/rules', 'DELETE', rule)}
            >
              ×
            </ActionButton>
          </li>
        ))}
      </ul>
      <RuleForm inputs={inputs} button="Add the fault" start={{ status: '503' }} onAdd={add} />
    </Group>
  )
}

const profiles = ['slow-3g', 'flaky', 'offline', 'down', 'rate-limited']

/** A fault rule, as the control lists it. */
interface FaultRule {
  on?: string
  probability?: number
  /** How often the rule still applies; undefined without a limit. */
  left?: number
  [effect: string]: unknown
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

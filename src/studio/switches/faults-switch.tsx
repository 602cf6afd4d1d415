import { X, Zap } from 'lucide'
import type { VNode } from 'preact'
import { type FaultRule, status } from '../app/status.ts'
import { Press } from '../parts/action-button.tsx'
import { Choice } from '../parts/controls.tsx'
import { Group } from './group.tsx'
import { RuleForm, type RuleInput, toEffects, toNumber } from './rule-form.tsx'
import { change } from './use-control.ts'

/**
 * Lists the faults that the mock injects into responses, and adds and removes faults, one by one or as a
 * profile such as `slow-3g`.
 */
export function FaultsSwitch(): VNode {
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
            <Press
              icon={X}
              kind="icon"
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

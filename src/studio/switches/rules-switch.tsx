import type { VNode } from 'preact'
import { ActionButton } from '../parts/action-button.tsx'
import { Group } from './group.tsx'
import { RuleForm, type RuleInput, toEffects, toNumber } from './rule-form.tsx'
import { change, useControl } from './use-control.ts'

/** Lists the rules that answer or delay certain requests, and adds and removes rules. */
export function RulesSwitch(): VNode {
  const rules = useControl<RuleState[]>('rules', [])
  return (
    <Group title="Rules">
      <ul>
        {rules.map(({ number, on, status, isDelayed, left }) => (
          <li key={number}>
            <code>{on}</code> {status === 0 ? 'dropped' : status} {isDelayed && 'delayed'}{' '}
            {left !== undefined && <span class="dim">{left} left</span>}{' '}
            <ActionButton
              class="icon"
              label={`Remove the rule ${on}`}
              onPress={async () => change(`rules/${number}`, 'DELETE')}
            >
              ×
            </ActionButton>
          </li>
        ))}
      </ul>
      <RuleForm inputs={inputs} button="Add the rule" start={{ status: '500' }} onAdd={add} />
    </Group>
  )
}

/** An active rule, as the control API lists it. */
interface RuleState {
  number: number
  on: string
  status?: number
  isDelayed: boolean
  /** How often the rule still applies; undefined without a limit. */
  left?: number
}

const inputs: readonly RuleInput[] = [
  ['on', 'Requests', 'GET /posts/:id'],
  ['status', 'Status', '500, drop'],
  ['delay', 'Delay', '200-800'],
  ['times', 'Times', 'always'],
]

async function add({ on = 'GET *', times, ...effects }: Record<string, string>): Promise<boolean> {
  const rule = { on, ...toEffects(effects), ...(times !== undefined && { times: toNumber(times) }) }
  return change('rules', 'POST', rule)
}

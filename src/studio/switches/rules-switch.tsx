import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Group } from './group.tsx'
import { change, useControl } from './use-control.ts'

/** An active rule, as the control lists it. */
interface RuleState {
  number: number
  on: string
  status?: number
  isDelayed: boolean
  /** How often the rule still applies; undefined without a limit. */
  left?: number
}

/** The rules of the mock, and a form for a further rule. */
export function RulesSwitch(): VNode {
  const rules = useControl<RuleState[]>('rules', [])
  return (
    <Group title="Rules">
      <ul>
        {rules.map(({ number, on, status, isDelayed, left }) => (
          <li key={number}>
            <code>{on}</code> {status === 0 ? 'dropped' : status} {isDelayed && 'delayed'}{' '}
            {left !== undefined && <span class="dim">{left} left</span>}{' '}
            <button
              type="button"
              class="icon"
              aria-label={`Remove the rule ${on}`}
              onClick={() => change(`rules/${number}`, 'DELETE')}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <RuleForm />
    </Group>
  )
}

/** The inputs of a new rule. */
const blank = { on: '', status: '500', delay: '', times: '' }

function RuleForm(): VNode {
  const [rule, setRule] = useState(blank)
  const { on, status, delay, times } = rule
  const add = (event: Event): void => {
    event.preventDefault()
    change('rules', 'POST', {
      on: on || 'GET *',
      ...(status === 'drop' ? { drop: true } : status !== '' && { status: Number(status) }),
      ...(delay !== '' && { delay: /^\d+$/.test(delay) ? Number(delay) : delay }),
      ...(times !== '' && { times: Number(times) }),
    })
    setRule(blank)
  }
  const input = (name: keyof typeof blank, label: string, placeholder: string): VNode => (
    <label>
      {label}
      <input
        value={rule[name]}
        placeholder={placeholder}
        size={placeholder.length + 2}
        onInput={({ currentTarget }) => setRule({ ...rule, [name]: currentTarget.value })}
      />
    </label>
  )
  return (
    <form class="bar" onSubmit={add}>
      {input('on', 'Requests', 'GET /posts/:id')}
      {input('status', 'Status', '500, drop')}
      {input('delay', 'Delay', '200-800')}
      {input('times', 'Times', 'always')}
      <button>Add the rule</button>
    </form>
  )
}

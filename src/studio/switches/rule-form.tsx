import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

/** An input of a rule: its name, its label, and a value as an example. */
export type RuleInput = readonly [name: string, label: string, placeholder: string]

/** The properties of {@link RuleForm}. */
export interface RuleFormProps {
  inputs: readonly RuleInput[]
  button: string
  /** The values at first. @default empty */
  start?: Readonly<Record<string, string>>
  /** Receives the values that are not empty. */
  onAdd(values: Record<string, string>): void
}

/** A form for a rule, of one line of inputs. */
export function RuleForm({ inputs, button, start = {}, onAdd }: RuleFormProps): VNode {
  const [values, setValues] = useState(start)
  const add = (event: Event): void => {
    event.preventDefault()
    onAdd(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')))
    setValues(start)
  }
  return (
    <form class="rule" onSubmit={add}>
      {inputs.map(([name, label, placeholder]) => (
        <label key={name}>
          {label}
          <input
            value={values[name] ?? ''}
            placeholder={placeholder}
            onInput={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
          />
        </label>
      ))}
      <button>{button}</button>
    </form>
  )
}

/** The status and the delay of a rule: `drop` in place of a status drops the connection. */
export function toEffects({ status, delay }: Record<string, string>): Record<string, unknown> {
  return {
    ...(status === 'drop' ? { drop: true } : status !== undefined && { status: Number(status) }),
    ...(delay !== undefined && { delay: /^\d+$/.test(delay) ? Number(delay) : delay }),
  }
}

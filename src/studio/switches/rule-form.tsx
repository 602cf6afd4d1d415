import type { VNode } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useAction, Form, Suggestions } from '../parts/controls.tsx'

/** A form of a few inputs and a button, such as one that adds a rule or a fault. */
export function RuleForm(props: RuleFormProps): VNode {
  const { inputs, button, start = {}, suggestions = [], onAdd } = props
  const id = useId()
  const [values, setValues] = useState(start)
  const { run: add, isRunning } = useAction(async () => {
    const given = Object.entries(values).filter(([, value]) => value !== '')
    if (!(await onAdd(Object.fromEntries(given)))) return
    // Keeps the values that were typed since.
    setValues((latest) => {
      const typed = Object.entries(latest).filter(([name, value]) => values[name] !== value)
      return { ...start, ...Object.fromEntries(typed) }
    })
  })
  return (
    <Form class="rule" onSubmit={add}>
      {inputs.map(([name, label, placeholder]) => (
        <label key={name}>
          {label}
          <input
            list={name === 'on' ? id : undefined}
            value={values[name] ?? ''}
            placeholder={placeholder}
            onInput={({ currentTarget: { value } }) =>
              setValues((latest) => ({ ...latest, [name]: value }))
            }
          />
        </label>
      ))}
      <Suggestions id={id} texts={suggestions} />
      <button aria-disabled={isRunning}>{button}</button>
    </Form>
  )
}

/** An input of the form: its name, its label, and an example of a value. */
export type RuleInput = readonly [name: string, label: string, placeholder: string]

interface RuleFormProps {
  inputs: readonly RuleInput[]
  button: string
  /** The values at first. @default empty */
  start?: Readonly<Record<string, string>>
  /** The patterns of requests to suggest. */
  suggestions?: readonly string[]
  /** Receives the values that are not empty. Returns whether they are added; else they stay in the form. */
  onAdd(values: Record<string, string>): Promise<boolean>
}

/** A number, or a text that the mock refuses as it was typed. */
export function toNumber(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

/** The status and the delay of a rule: `drop` in place of a status drops the connection. */
export function toEffects({ status, delay }: Record<string, string>): Record<string, unknown> {
  return {
    ...(status === 'drop' ? { drop: true } : status !== undefined && { status: toNumber(status) }),
    ...(delay !== undefined && { delay: toNumber(delay) }),
  }
}

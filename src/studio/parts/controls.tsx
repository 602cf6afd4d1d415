import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { toMessage } from '../app/state.ts'
import { Press, useAction } from './action-button.tsx'
import { Dialog } from './dialog.tsx'
import { Problem } from './problem.tsx'

/** An input of a text, which calls `onText` with each change. */
export function TextInput({ label, onText, ...rest }: TextInputProps): VNode {
  return (
    <input
      spellcheck={false}
      {...rest}
      aria-label={label}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  )
}

type TextInputProps = InputHTMLAttributes & {
  label?: string
  onText(text: string): void
}

/** A form whose submit runs an action in place of leaving the page. */
export function Form({ onSubmit, ...rest }: FormProps): VNode {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

interface FormProps {
  class?: string
  children: ComponentChildren
  onSubmit(): unknown
}

/** A choice of one of several texts; a pair is a value with the text that stands for it. */
export function Choice({ label, value, options, class: kind, onChoose }: ChoiceProps): VNode {
  return (
    <select
      class={kind}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map((one) => {
        const [key, text] = typeof one === 'string' ? [one, one] : one
        return (
          <option key={key} value={key}>
            {text}
          </option>
        )
      })}
    </select>
  )
}

interface ChoiceProps {
  label?: string
  value: string
  options: readonly (string | readonly [value: string, text: string])[]
  class?: string
  onChoose(value: string): void
}

/** The texts that an input suggests, which names the list by its id. */
export function Suggestions({ id, texts }: { id: string; texts: readonly string[] }): VNode {
  return (
    <datalist id={id}>
      {texts.map((text) => (
        <option key={text} value={text} />
      ))}
    </datalist>
  )
}

/** Names with their values, such as headers. */
export function Pairs({ pairs }: { pairs: readonly (readonly [string, string])[] }): VNode {
  return (
    <dl class="headers">
      {pairs.map(([name, value], at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The frame of a view that is no grid: its title, what it shows now, and its actions. */
export function Page({ title, status, actions, children }: PageProps): VNode {
  return (
    <section class="data page" aria-label={title}>
      <header class="bar">
        <h2>{title}</h2>
        <span class="dim" role="status">
          {status}
        </span>
        <span class="gap" />
        {actions}
      </header>
      {children}
    </section>
  )
}

interface PageProps {
  title: string
  status?: ComponentChildren
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A dialog with an action, whose error it shows, and which closes it. */
export function ActionDialog(props: ActionDialogProps): VNode {
  const {
    title,
    class: kind,
    button,
    problem = '',
    isDisabled = false,
    children,
    run,
    onEnd,
  } = props
  const [error, setError] = useState('')
  const { run: act, isRunning } = useAction(async () => {
    try {
      await run()
      onEnd()
    } catch (caught) {
      setError(toMessage(caught))
    }
  })
  return (
    <Dialog title={title} class={kind} onEnd={onEnd}>
      <Form onSubmit={() => isDisabled || void act()}>
        {children}
        <Problem text={error || problem} />
        <div class="bar end">
          <Press text="Cancel" run={onEnd} />
          <button type="submit" class="main" disabled={isDisabled} aria-disabled={isRunning}>
            {button}
          </button>
        </div>
      </Form>
    </Dialog>
  )
}

interface ActionDialogProps {
  title: string
  class?: string
  button: string
  /** What is wrong with the input; empty for nothing. */
  problem?: string
  isDisabled?: boolean
  children: ComponentChildren
  run(): Promise<unknown>
  onEnd(): void
}

import { h, type ComponentChildren, type InputHTMLAttributes, type VNode } from 'preact'
import { useState, useLayoutEffect, useRef } from 'preact/hooks'
import { toMessage } from '../app/state.ts'
import { root } from '../host.ts'
import { signal, type Signal } from '@preact/signals'
import { type IconNode, X } from 'lucide'
import { attempt } from '../app/notices.ts'

/** Draws an icon of Lucide, which assistive technology ignores: the text beside the icon, or a label, says the same. */
export function Icon({ of, size }: { of: IconNode; size?: number }): VNode {
  const box = size === undefined ? {} : { width: size, height: size }
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true" {...box}>
      {of.map(([tag, attributes], at) => h(tag, { key: at, ...attributes }))}
    </svg>
  )
}

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

/** A modal dialog, which gives the focus back when it closes. */
export function Dialog({ title, class: kind, children, onEnd }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null)
  const isRemoved = useRef(false)
  useLayoutEffect(() => {
    const before = root.activeElement as HTMLElement | null
    const node = box.current
    node?.showModal()
    return () => {
      isRemoved.current = true
      // The rest of the page cannot have the focus while a modal dialog is open.
      node?.close()
      before?.focus()
    }
  }, [])
  return (
    <dialog ref={box} class={kind} aria-label={title} onClose={() => isRemoved.current || onEnd()}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

interface DialogProps {
  title: string
  class?: string | undefined
  children: ComponentChildren
  /** Is called when Escape closes the dialog. */
  onEnd(): void
}

/** Shows an error beside what the error is about; nothing for an empty text. */
export function Problem({ text, id }: { text: string; id?: string }): VNode | null {
  if (text === '') return null
  return (
    <p id={id} role="alert" class="problem">
      {text}
    </p>
  )
}

/** Buttons that choose which of several contents is shown below. The button of the shown content is pressed. */
export function Tabs({ names, active, onChoose }: TabsProps): VNode {
  return (
    <div class="tabs" role="group" aria-label="View">
      {names.map((name) => (
        <Press text={name} key={name} aria-pressed={name === active} run={() => onChoose(name)} />
      ))}
    </div>
  )
}

interface TabsProps {
  names: readonly string[]
  active: string
  onChoose(name: string): void
}

/**
 * A button with an icon, a text or both. A press while its action is running does nothing. The button is not
 * `disabled` meanwhile, because `disabled` would take the focus away.
 */
export function Press({ icon, text, kind, label, run: action, ...rest }: PressProps): VNode {
  const { run, isRunning } = useAction(action)
  return (
    <button
      {...rest}
      type="button"
      class={kind}
      aria-label={label}
      title={label}
      aria-disabled={isRunning}
      onClick={() => void run()}
    >
      {icon && <Icon of={icon} />}
      {text}
    </button>
  )
}

/** A button with a cross, which removes or closes something. */
export function Cross({ label, run }: Pick<PressProps, 'label' | 'run'>): VNode {
  return <Press icon={X} kind="icon" label={label} run={run} />
}

interface PressProps {
  icon?: IconNode
  text?: string | undefined
  /** The class: `main`, `danger`, `plain`, `icon`. */
  kind?: string | undefined
  /** The name of the button, where its text does not say it. */
  label?: string | undefined
  disabled?: boolean
  'aria-pressed'?: boolean
  'aria-describedby'?: string | undefined
  onMouseDown?(event: Event): void
  /** The action, whose error is shown. A press while the action is running does nothing. */
  run(): unknown
}

/**
 * Makes an action of a button or form run once, even if the button is pressed twice. Components with an equal
 * key share the action, such as a form that is opened again.
 *
 * @default key a key of its own
 */
export function useAction(action: () => unknown, key?: string): Action {
  const own = useRef({})
  const id = key ?? own.current
  async function run(): Promise<void> {
    if (running.peek().has(id)) return
    running.value = new Set([...running.peek(), id])
    await attempt(async () => action())
    running.value = new Set([...running.peek()].filter((one) => one !== id))
  }
  return { run, isRunning: running.value.has(id) }
}

/** The keys of the actions that are running. */
const running: Signal<ReadonlySet<unknown>> = signal(new Set())

/** The action of a button or form. */
interface Action {
  /** Runs the action, and shows its error. Does nothing while the action is running. */
  run(): Promise<void>
  isRunning: boolean
}

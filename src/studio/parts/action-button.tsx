import { type Signal, signal } from '@preact/signals'
import type { IconNode } from 'lucide'
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { attempt } from '../app/notices.ts'
import { Icon } from './icon.tsx'

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
export interface Action {
  /** Runs the action, and shows its error. Does nothing while the action is running. */
  run(): Promise<void>
  isRunning: boolean
}

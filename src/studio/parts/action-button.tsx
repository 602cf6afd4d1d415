import { type Signal, signal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { attempt } from '../app/notices.ts'

/**
 * A button that makes a change or sends a request. A press while its action is running does nothing. The
 * button is not `disabled` meanwhile, because `disabled` would take the focus away.
 */
export function ActionButton({ onPress, label, children, ...rest }: ActionButtonProps): VNode {
  const { run, isRunning } = useAction(onPress)
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      aria-disabled={isRunning}
      onClick={() => void run()}
    >
      {children}
    </button>
  )
}

/** The properties of {@link ActionButton}. */
export interface ActionButtonProps {
  /** The action, whose error is shown. A press while the action is running does nothing. */
  onPress(): Promise<unknown>
  class?: string
  /** The name of the button, where its content does not say it. */
  label?: string | undefined
  children: ComponentChildren
}

/**
 * Makes an action of a button or form run once, even if the button is pressed twice. Components with an equal
 * key share the action, such as a form that is opened again.
 *
 * @default key a key of its own
 */
export function useAction(action: () => Promise<unknown>, key?: string): Action {
  const own = useRef({})
  const id = key ?? own.current
  async function run(): Promise<void> {
    if (running.peek().has(id)) return
    running.value = new Set([...running.peek(), id])
    await attempt(action)
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

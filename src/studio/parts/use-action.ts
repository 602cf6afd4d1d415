import { type Signal, signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { attempt } from '../app/notices.ts'

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

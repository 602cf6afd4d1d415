import type { ComponentChildren, VNode } from 'preact'
import { useAction } from './use-action.ts'

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

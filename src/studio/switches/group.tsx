import type { IconNode } from 'lucide'
import type { ComponentChildren, VNode } from 'preact'
import { hasBehaviour } from '../app/state.ts'
import { Icon } from '../parts/controls.tsx'

/**
 * A titled section of the view "Switches", which says what its switch does. If the switch needs a behaviour that
 * the mock does not have, the section says how to add the behaviour.
 */
export function Group({ title, icon, text, behaviour, option, children }: GroupProps): VNode {
  const isThere = behaviour === undefined || hasBehaviour(behaviour)
  return (
    <section class="group" aria-label={title}>
      <h3>
        <Icon of={icon} /> {title}
      </h3>
      <p class="dim">{text}</p>
      {isThere ? (
        children
      ) : (
        <p class="dim">
          This mock has no {behaviour}. Add <code>{behaviour}()</code> to <code>use</code>, or start
          the command with <code>{option}</code>.
        </p>
      )}
    </section>
  )
}

interface GroupProps {
  title: string
  icon: IconNode
  /** What the switch does, and where. */
  text: string
  /** The behaviour that the switch needs. */
  behaviour?: string
  /** The option of the command that adds the behaviour. */
  option?: string
  children: ComponentChildren
}

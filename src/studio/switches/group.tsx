import type { ComponentChildren, VNode } from 'preact'

/** A titled section of the view "Switches". */
export function Group({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <section class="group" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

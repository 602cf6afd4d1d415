import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { root } from '../host.ts'

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

import type { ComponentChildren, VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** A modal dialog, which gives the focus back when it closes. */
export function Dialog({ title, children, onEnd }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null
    box.current?.showModal()
    return () => before?.focus()
  }, [])
  return (
    <dialog ref={box} aria-label={title} onClose={onEnd}>
      <h2>{title}</h2>
      {children}
    </dialog>
  )
}

/** The properties of {@link Dialog}. */
export interface DialogProps {
  title: string
  children: ComponentChildren
  /** Is called when Escape closes the dialog. */
  onEnd(): void
}

import type { IconNode } from 'lucide'
import type { ComponentChildren, VNode } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { root } from '../host.ts'
import { Icon } from './icon.tsx'

/** A button that opens a menu of buttons below itself. A press on one of them, Escape or a press elsewhere closes it. */
export function Menu({ label, icon, text, class: kind = 'icon', children }: MenuProps): VNode {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)

  /** Puts the open menu below its button, inside of the window. */
  function place(): void {
    const [anchor, box] = [button.current?.getBoundingClientRect(), list.current]
    if (!anchor || !box) return
    const { width, height } = box.getBoundingClientRect()
    const left = Math.min(anchor.left, innerWidth - width - 8)
    const isAbove = anchor.bottom + height > innerHeight - 8 && anchor.top > height
    box.style.left = `${Math.max(8, left)}px`
    box.style.top = `${isAbove ? anchor.top - height - 4 : anchor.bottom + 4}px`
    box.querySelector<HTMLElement>('button, a, input')?.focus()
  }

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const items = [...(list.current?.querySelectorAll<HTMLElement>('button, a, input') ?? [])]
    event.stopPropagation()
    if (step === undefined) return
    event.preventDefault()
    const at = items.indexOf(root.activeElement as HTMLElement)
    items[(at + step + items.length) % items.length]?.focus()
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-label={label}
        aria-expanded={isOpen}
        title={label}
        popovertarget={id}
      >
        <Icon of={icon} />
        {text}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        class="menu"
        role="group"
        aria-label={label}
        onToggle={(event) => {
          const isShown = event.newState === 'open'
          setOpen(isShown)
          if (isShown) requestAnimationFrame(place)
        }}
        onKeyDown={press}
        onClick={({ target }) => {
          if ((target as Element).closest('button, a')) list.current?.hidePopover()
        }}
      >
        {isOpen && children}
      </div>
    </>
  )
}

interface MenuProps {
  label: string
  icon: IconNode
  /** The visible text of the button; none for an icon alone. */
  text?: string
  class?: string
  children: ComponentChildren
}

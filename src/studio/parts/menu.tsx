import type { IconNode } from 'lucide'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { root } from '../host.ts'
import { Icon } from './controls.tsx'

/** A button that opens a menu of buttons below itself. */
export function Menu({ label, icon, text, class: kind = 'icon', children }: MenuProps): VNode {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-label={text === undefined ? label : undefined}
        aria-expanded={isOpen}
        title={label}
        popovertarget={id}
      >
        <Icon of={icon} />
        {text}
      </button>
      <MenuList
        {...{ id, label }}
        anchor={() => button.current?.getBoundingClientRect()}
        onToggle={setOpen}
      >
        {isOpen && children}
      </MenuList>
    </>
  )
}

/** A menu of buttons over the page. A press on one of them, Escape or a press elsewhere closes the menu. */
export function MenuList(props: MenuListProps): VNode {
  const { id, label, isOpen = false, anchor, onToggle, children } = props
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) list.current?.showPopover()
  }, [isOpen])

  /** Puts the menu below its anchor, inside of the window. */
  function place(): void {
    const [from, box] = [anchor(), list.current]
    if (!from || !box) return
    const { width, height } = box.getBoundingClientRect()
    const isAbove = from.bottom + height > innerHeight - 8 && from.top > height
    box.style.left = `${Math.max(8, Math.min(from.left, innerWidth - width - 8))}px`
    box.style.top = `${isAbove ? from.top - height - 4 : from.bottom + 4}px`
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
    <div
      ref={list}
      id={id}
      popover="auto"
      class="menu"
      role="group"
      aria-label={label}
      onToggle={({ newState }) => {
        onToggle(newState === 'open')
        if (newState === 'open') requestAnimationFrame(place)
      }}
      onKeyDown={press}
      onClick={({ target }) => {
        if ((target as Element).closest('button, a')) list.current?.hidePopover()
      }}
    >
      {children}
    </div>
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

interface MenuListProps {
  id?: string
  label: string
  /** Whether the menu is open at once. */
  isOpen?: boolean
  /** Returns the box that the menu is placed below. */
  anchor(): DOMRect | undefined
  onToggle(isOpen: boolean): void
  children: ComponentChildren
}

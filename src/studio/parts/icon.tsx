import type { IconNode } from 'lucide'
import { h, type VNode } from 'preact'

/** Draws an icon of Lucide, which assistive technology ignores: the text beside the icon, or a label, says the same. */
export function Icon({ of, size }: { of: IconNode; size?: number }): VNode {
  const box = size === undefined ? {} : { width: size, height: size }
  return (
    <svg class="i" viewBox="0 0 24 24" aria-hidden="true" {...box}>
      {of.map(([tag, attributes], at) => h(tag, { key: at, ...attributes }))}
    </svg>
  )
}

/** Draws the mark of Fixtura: three rows of data, the last one in the accent. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 10h14M9 16h9M9 22h4" />
      <circle cx="21" cy="21" r="3" />
    </svg>
  )
}

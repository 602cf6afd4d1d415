import { ExternalLink } from 'lucide'
import type { VNode } from 'preact'
import { Icon } from '../parts/controls.tsx'

/** Shows a value as text; its kind is visible by its style. */
export function Value({ value }: { value: unknown }): VNode {
  if (value === undefined) return <span class="missing">–</span>
  if (value === null) return <span class="null">null</span>
  if (typeof value === 'string' && /^data:image\/(?!svg)/.test(value))
    return <img class="thumbnail" src={value} alt="" />
  const text = typeof value === 'string' ? value : toShortText(value)
  const shown = (
    <span
      class={`value ${typeof value}`}
      title={
        text.length > 24
          ? (typeof value === 'string' ? value : JSON.stringify(value, null, 2)).slice(0, 2000)
          : undefined
      }
    >
      {text.slice(0, 400)}
    </span>
  )
  const href = linkOf(value)
  if (href === undefined) return shown
  return (
    <>
      {shown}
      <a
        class="open-link"
        tabIndex={-1}
        href={href}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open ${text}`}
      >
        <Icon of={ExternalLink} />
      </a>
    </>
  )
}

/** The URL that a text is or, for an address of e-mail, stands for; undefined for none. */
export function linkOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2000 || /\s/.test(value)) return undefined
  if (/^https?:\/\/[^/]/i.test(value)) return value
  return /^[^@:/?#]+@[^@:/?#]+\.[a-z]{2,}$/i.test(value) ? `mailto:${value}` : undefined
}

/** A short form of a value: of an object its values, of a list its length. */
function toShortText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const items = Object.values(value)
  const isFlat = items.every((item) => typeof item !== 'object' || item === null)
  if (Array.isArray(value) && !isFlat) return `[${items.length}]`
  if (!isFlat || items.length === 0) return JSON.stringify(value)
  return items.map(String).join(Array.isArray(value) ? ', ' : ' · ')
}

import type { VNode } from 'preact'

/** A search field: an input for a text by which the list below is filtered. */
export function SearchField({
  label,
  placeholder = label,
  text,
  onInput,
}: SearchFieldProps): VNode {
  return (
    <input
      type="search"
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      value={text}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}

interface SearchFieldProps {
  label: string
  /** @default the label */
  placeholder?: string
  text: string
  onInput(text: string): void
}

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

/** The properties of {@link LineForm}. */
export interface LineFormProps {
  label: string
  placeholder: string
  button: string
  onSubmit(text: string): void
}

/** A form of one input with its button. */
export function LineForm({ label, placeholder, button, onSubmit }: LineFormProps): VNode {
  const [text, setText] = useState('')
  const submit = (event: Event): void => {
    event.preventDefault()
    onSubmit(text)
    setText('')
  }
  return (
    <form class="bar" onSubmit={submit}>
      <input
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button>{button}</button>
    </form>
  )
}

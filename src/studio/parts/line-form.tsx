import type { VNode } from 'preact'
import { useState } from 'preact/hooks'

/** The properties of {@link LineForm}. */
export interface LineFormProps {
  label: string
  placeholder: string
  button: string
  /** Returns whether the text is accepted; else the text stays. */
  onSubmit(text: string): Promise<boolean>
}

/** A form of one input with its button. */
export function LineForm({ label, placeholder, button, onSubmit }: LineFormProps): VNode {
  const [text, setText] = useState('')
  async function submit(): Promise<void> {
    if (await onSubmit(text)) setText('')
  }
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
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

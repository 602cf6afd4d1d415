import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { useAction } from './action-button.tsx'
import { Form, TextInput } from './controls.tsx'

/** A form of one input and one button, for an action with a text, such as setting the clock. */
export function LineForm({ label, placeholder, button, onSubmit }: LineFormProps): VNode {
  const [text, setText] = useState('')
  const { run: submit, isRunning } = useAction(async () => {
    // Keeps a text that was typed since.
    if (await onSubmit(text)) setText((latest) => (latest === text ? '' : latest))
  })
  return (
    <Form class="bar" onSubmit={submit}>
      <TextInput label={label} placeholder={placeholder} value={text} onText={setText} />
      <button aria-disabled={isRunning}>{button}</button>
    </Form>
  )
}

interface LineFormProps {
  label: string
  placeholder: string
  button: string
  /** Returns whether the text is accepted; else the text stays. */
  onSubmit(text: string): Promise<boolean>
}

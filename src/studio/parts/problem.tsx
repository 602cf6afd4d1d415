import type { VNode } from 'preact'

/** Shows an error beside what the error is about; nothing for an empty text. */
export function Problem({ text, id }: { text: string; id?: string }): VNode | null {
  if (text === '') return null
  return (
    <p id={id} role="alert" class="problem">
      {text}
    </p>
  )
}

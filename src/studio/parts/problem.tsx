import type { VNode } from 'preact'

/** An error; nothing for an empty text. */
export function Problem({ text }: { text: string }): VNode | null {
  if (text === '') return null
  return (
    <p role="alert" class="problem">
      {text}
    </p>
  )
}

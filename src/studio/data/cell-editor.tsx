import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { toMessage } from '../app/state.ts'
import { type Field, isSame, parseValue, toText } from './values.ts'
import type { CellPlace } from './grid-window.ts'
import { ValueInput } from './value-input.tsx'

/** The properties of {@link CellEditor}. */
export interface CellEditorProps {
  field: Field
  /** The value when the edit began. */
  value: unknown
  /** The value as it is now. */
  current: unknown
  /** The character that began the edit, which replaces the text. */
  start: string | undefined
  onSave(value: unknown): Promise<void>
  /** Ends the edit, and moves by a step. */
  onEnd(step?: CellPlace): void
}

/** Edits a value in its cell: Enter and Tab save, Escape gives up. An error stays until it is corrected. */
export function CellEditor({
  field,
  value,
  current,
  start,
  onSave,
  onEnd,
}: CellEditorProps): VNode {
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(start ?? toText(value, field.kind))
  const [error, setError] = useState('')
  const isDone = useRef(false)

  useLayoutEffect(() => {
    const input = box.current?.querySelector<HTMLInputElement>('input, select, textarea')
    input?.focus()
    if (start === undefined) input?.select?.()
  }, [])

  async function save(step?: CellPlace): Promise<void> {
    if (isDone.current) return
    isDone.current = true
    try {
      const next = text === toText(value, field.kind) ? value : parseValue(text, field)
      if (!isSame(next, value)) await onSave(next)
      onEnd(step)
    } catch (caught) {
      isDone.current = false
      setError(toMessage(caught))
    }
  }

  function press(event: KeyboardEvent): void {
    const { key, shiftKey } = event
    event.stopPropagation()
    if (key === 'Escape') {
      isDone.current = true
      onEnd()
    } else if (key === 'Enter' && !(field.kind === 'text' && shiftKey))
      void save({ row: 1, column: 0 })
    else if (key === 'Tab') void save({ row: 0, column: shiftKey ? -1 : 1 })
    else return
    event.preventDefault()
  }

  const isStale = !isSame(current, value)
  return (
    <div ref={box} class="editor" onKeyDown={press} onFocusOut={() => void save()}>
      <ValueInput field={field} text={text} label={`Edit ${field.name}`} onInput={setText} />
      {(error !== '' || isStale) && (
        <p role="alert" class="hint">
          {error || `Changed meanwhile to ${toText(current, field.kind) || 'nothing'}`}
        </p>
      )}
    </div>
  )
}

import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { reportError } from '../app/notices.ts'
import { toMessage } from '../app/state.ts'
import { type Field, isSame, parseValue, toText } from './values.ts'
import type { CellPosition } from './grid-window.ts'
import { NullButton, ValueInput } from './value-input.tsx'

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
  onEnd(step?: CellPosition): void
}

/**
 * Edits a value in its cell: Enter and Tab save, Escape gives up. An error stays until it is corrected. An editor
 * that is removed saves too, and reports an error with what was typed.
 */
export function CellEditor(props: CellEditorProps): VNode {
  const { field, value, current, start, onSave, onEnd } = props
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(start ?? toText(value, field.kind))
  const [error, setError] = useState('')
  const isDone = useRef(false)

  useLayoutEffect(() => {
    const input = box.current?.querySelector<HTMLInputElement>('input, select, textarea')
    input?.focus()
    if (start === undefined) input?.select?.()
  }, [])

  async function write(): Promise<void> {
    const next = text === toText(value, field.kind) ? value : parseValue(text, field)
    if (!isSame(next, value)) await onSave(next)
  }

  async function save(step?: CellPosition, run = write): Promise<void> {
    if (isDone.current) return
    isDone.current = true
    try {
      await run()
      onEnd(step)
    } catch (caught) {
      isDone.current = false
      setError(toMessage(caught))
    }
  }

  const latest = useRef(write)
  latest.current = write
  useEffect(
    () => () => {
      if (isDone.current) return
      isDone.current = true
      latest.current().catch(reportError)
    },
    [],
  )

  function press(event: KeyboardEvent): void {
    const { key, shiftKey, target, isComposing } = event
    event.stopPropagation()
    // An input method takes Enter, Tab and Escape to choose characters.
    if (isComposing) return
    if (key === 'Escape') {
      isDone.current = true
      onEnd()
    } else if (key === 'Enter' && !(target instanceof HTMLTextAreaElement && shiftKey))
      void save({ row: 1, column: 0 })
    else if (key === 'Tab') void save({ row: 0, column: shiftKey ? -1 : 1 })
    else return
    event.preventDefault()
  }

  /** Saves when the focus goes elsewhere in the page. In a window that loses the focus, the input stays active. */
  function leave({ target }: FocusEvent): void {
    if (document.activeElement !== target) void save()
  }

  const news = isSame(current, value)
    ? ''
    : `Changed meanwhile to ${toText(current, field.kind) || 'nothing'}`
  const hint = error || news
  return (
    <div ref={box} class="editor" onKeyDown={press} onFocusOut={leave}>
      <ValueInput
        field={field}
        text={text}
        label={`Edit ${field.name}`}
        isNull={value === null}
        isTall={field.kind === 'text'}
        problemId={hint === '' ? undefined : 'cell-problem'}
        onInput={setText}
      />
      <NullButton
        field={field}
        isNull={value === null}
        onPress={() => void save(undefined, async () => onSave(null))}
      />
      {hint !== '' && (
        <p id="cell-problem" role="alert" class="hint">
          {hint}
        </p>
      )}
    </div>
  )
}

import { isSame } from '../../core/json/json.ts'
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { root } from '../host.ts'
import { reportError } from '../app/notices.ts'
import { toMessage, type Row } from '../app/state.ts'
import { parseValue, toText, valueOf, type Field } from './fields.ts'
import type { CellPosition } from './grid-window.ts'
import { hasChoice, NullButton, ValueInput } from './value-input.tsx'
import { Press } from '../parts/controls.tsx'

/**
 * Edits a value in its cell: Enter and Tab save, Escape gives up. An error stays until it is corrected. An editor
 * that is removed saves too, and reports an error with what was typed.
 */
function CellEditor(props: CellEditorProps): VNode {
  const { field, value, current, start, onSave, onEnd } = props
  const box = useRef<HTMLDivElement>(null)
  const initial = toText(value, field.kind)
  const [text, setText] = useState(start === undefined ? initial : textFrom(start, initial, field))
  const [error, setError] = useState('')
  /** Whether the error is one of the schema, in spite of which the value can be saved. */
  const [canSaveAnyway, setCanSaveAnyway] = useState(false)
  const isOpen = useRef(true)
  /** Whether the edit is saved, on its way or given up. */
  const isDone = useSignal(false)

  useLayoutEffect(() => {
    const input = box.current?.querySelector<HTMLInputElement>('input, select, textarea')
    input?.focus()
    if (start === undefined && input?.type !== 'date') input?.select?.()
  }, [])

  async function save(step?: CellPosition, isNull = false, isForced = false): Promise<void> {
    if (isDone.peek()) return
    isDone.value = true
    try {
      if (isNull) await onSave(() => null, isForced)
      else if (text !== initial) await onSave((typed) => parseValue(text, typed), isForced)
      if (isOpen.current) latest.current.onEnd(step)
    } catch (caught) {
      const problem = toMessage(caught)
      if (isOpen.current) {
        isDone.value = false
        setError(problem)
        setCanSaveAnyway(caught instanceof SchemaError)
      } else {
        const given = isNull ? 'null' : text.slice(0, 40)
        reportError(new Error(`Failed to save "${given}" as "${field.name}": ${problem}`))
      }
    }
  }

  const latest = useRef({ save, onEnd })
  latest.current = { save, onEnd }
  useEffect(
    () => () => {
      isOpen.current = false
      void latest.current.save()
    },
    [],
  )

  function press(event: KeyboardEvent): void {
    const { key, shiftKey, target, isComposing } = event
    event.stopPropagation()
    // An input method takes Enter, Tab and Escape to choose characters.
    if (isComposing) return
    if (key === 'Escape') {
      isDone.value = true
      onEnd()
    } else if (key === 'Enter' && !(target instanceof HTMLTextAreaElement && shiftKey))
      void save({ row: 1, column: 0 })
    else if (key === 'Tab') void save({ row: 0, column: shiftKey ? -1 : 1 })
    else return
    event.preventDefault()
  }

  /** Saves when the focus goes elsewhere in the page. In a window that loses the focus, the input stays active. */
  function leave({ target }: FocusEvent): void {
    if (root.activeElement !== target) void save()
  }

  // While the edit is on its way, the record has the new value already.
  const isChanged = !isDone.value && !isSame(current, value)
  const news = isChanged ? `Changed meanwhile to ${toText(current, field.kind) || 'nothing'}` : ''
  const hint = error || news
  return (
    <div ref={box} class="editor" onKeyDown={press} onFocusOut={leave}>
      <ValueInput
        field={isDone.value ? { ...field, isReadOnly: true } : field}
        text={text}
        label={`Edit ${field.name}`}
        isNull={value === null}
        isTall={field.kind === 'text'}
        problemId={hint === '' ? undefined : 'cell-problem'}
        onInput={(next) => {
          setText(next)
          setCanSaveAnyway(false)
        }}
      />
      <NullButton
        field={field}
        isNull={value === null}
        onPress={() => void save(undefined, true)}
      />
      {hint !== '' && (
        <p id="cell-problem" role="alert" class="hint">
          {hint}
          {error !== '' && canSaveAnyway && (
            <Press
              text="Save anyway"
              onMouseDown={(event) => event.preventDefault()}
              run={() => save({ row: 1, column: 0 }, false, true)}
            />
          )}
        </p>
      )}
    </div>
  )
}

interface CellEditorProps {
  field: Field
  /** The value when the edit began. */
  value: unknown
  /** The value as it is now. */
  current: unknown
  /** The character that began the edit, which replaces the text. */
  start: string | undefined
  /** Saves the value that `toValue` makes of the field with the type of its schema. */
  onSave(toValue: (field: Field) => unknown, isForced: boolean): Promise<void>
  /** Ends the edit, and moves by a step. */
  onEnd(step?: CellPosition): void
}

/** The text with which a character begins the edit of a value: the first choice that begins with it, if there are choices. */
function textFrom(start: string, initial: string, field: Field): string {
  if (field.kind === 'date') return initial
  if (!hasChoice(field)) return start
  const values = field.kind === 'boolean' ? ['true', 'false'] : field.values.map(String)
  return values.find((one) => one.toLowerCase().startsWith(start.toLowerCase())) ?? initial
}

/** Lays the editor of a cell over the cell in the grid. */
export function EditedCell(props: EditedCellProps): VNode {
  const { editing, current, column, left, top, width, onWrite, onEnd } = props
  const { start, record, field, row } = editing
  return (
    <div role="row" aria-rowindex={row + 2} class="row editing" style={{ top: `${top}px` }}>
      <div
        role="gridcell"
        aria-colindex={column + 2}
        class="cell edited"
        style={{ left: `${left}px`, width: `${Math.max(width, 150)}px` }}
      >
        <CellEditor
          field={field}
          value={valueOf(record, field)}
          current={valueOf(current, field)}
          start={start}
          onSave={async (toValue, isForced) => onWrite(record, field, toValue, isForced)}
          onEnd={onEnd}
        />
      </div>
    </div>
  )
}

/**
 * Writes the value that `toValue` makes of the field with the type of its schema; undefined removes the field.
 * Rejects with an error that the editor shows: a {@link SchemaError} unless the write is forced.
 */
export type WriteCell = (
  record: Row,
  field: Field,
  toValue: (field: Field) => unknown,
  isForced?: boolean,
) => Promise<void>

/** The error of a value that the schema of its collection forbids. */
export class SchemaError extends Error {}

/** The edit of a cell: the record as it was when the edit began. */
export interface Editing {
  /** The character that began the edit, which replaces the text. */
  start: string | undefined
  record: Row
  field: Field
  /** The index of the record, which others can move. */
  row: number
}

interface EditedCellProps {
  editing: Editing
  /** The record as it is now. */
  current: Row
  column: number
  /** The distances from the left and the top of the list, and the width, in pixels. */
  left: number
  top: number
  width: number
  onWrite: WriteCell
  onEnd(step?: CellPosition): void
}

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { directionOf } from './direction.ts'
import type { Field } from './fields.ts'

/**
 * The input for the values of a field: a choice for enums and booleans, otherwise the input of the type of the
 * field.
 */
export function ValueInput(props: ValueInputProps): VNode {
  const { field, text, label, id, isNull = false, isTall = false, problemId, onInput } = props
  const { kind, isNullable, isRequired } = field
  // Another input would lose the focus while a text grows.
  const [isLong] = useState(text.includes('\n') || (isTall && text.length > 60))
  const shared = {
    id,
    'aria-label': label,
    'aria-invalid': problemId !== undefined,
    'aria-describedby': problemId,
    value: text,
    dir: directionOf(text),
    readOnly: field.isReadOnly,
    placeholder: isNull ? 'null' : '',
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  if (hasChoice(field)) {
    const values = kind === 'boolean' ? ['true', 'false'] : field.values.map(String)
    const isEmpty = isNullable || !isRequired || text === ''
    const all = values.includes(text) || text === '' ? values : [...values, text]
    return (
      <select {...shared} onChange={shared.onInput}>
        {isEmpty && <option value="">{isNullable ? 'null' : 'none'}</option>}
        {all.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    )
  }
  if (isLong || (isTall && (kind === 'text' || kind === 'json')))
    return <textarea {...shared} rows={kind === 'json' ? 3 : 4} spellcheck={kind === 'text'} />
  const isNumber = kind === 'number' || kind === 'integer'
  if (kind === 'date') return <input {...shared} type="date" />
  return (
    <input
      {...shared}
      type="text"
      spellcheck={false}
      autocomplete="off"
      inputMode={isNumber ? 'decimal' : field.format === 'email' ? 'email' : 'text'}
    />
  )
}

/** A button that sets a value to null. There is no button if the field cannot be null, or if its choice has null. */
export function NullButton(props: NullButtonProps): VNode | null {
  const { field, describedBy, isNull, onPress } = props
  const isOffered = field.isNullable && !field.isReadOnly && field.kind !== 'any'
  if (!isOffered || hasChoice(field)) return null
  return (
    <button
      type="button"
      class="null-button"
      aria-label="Set to null"
      aria-describedby={describedBy}
      aria-pressed={isNull}
      // Keeps the focus in the input, as an editor ends without it.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      null
    </button>
  )
}

/** The properties of {@link ValueInput}. */
export interface ValueInputProps {
  field: Field
  text: string
  label?: string | undefined
  id?: string
  /** Whether the value is null, which no text is. */
  isNull?: boolean
  /** Whether there is room for several lines. */
  isTall?: boolean
  /** The id of the element that says what is wrong with the value; undefined while nothing is. */
  problemId?: string | undefined
  onInput(text: string): void
}

/** The properties of {@link NullButton}. */
export interface NullButtonProps {
  field: Field
  /** The id of the element that names the field. */
  describedBy?: string
  isNull: boolean
  onPress(): void
}

/** Whether the values of a field are chosen from a list. */
function hasChoice({ kind }: Field): boolean {
  return kind === 'enum' || kind === 'boolean'
}

import type { VNode } from 'preact'
import type { Field } from './values.ts'

/** The properties of {@link ValueInput}. */
export interface ValueInputProps {
  field: Field
  text: string
  label?: string | undefined
  id?: string
  /** Whether a text may have several lines. */
  isTall?: boolean
  onInput(text: string): void
}

/** The input for the values of a field: a choice for enums and booleans, else the input of its type. */
export function ValueInput({ field, text, label, id, isTall, onInput }: ValueInputProps): VNode {
  const { kind, isNullable, isRequired } = field
  const shared = {
    id,
    'aria-label': label,
    value: text,
    readOnly: field.isReadOnly,
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  if (kind === 'enum' || kind === 'boolean') {
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
  if (isTall && (kind === 'text' || kind === 'json' || text.length > 60))
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

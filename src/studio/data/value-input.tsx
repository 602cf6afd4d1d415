import { CalendarDays, Clock } from 'lucide'
import type { VNode } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { directionOf } from './direction.ts'
import type { Field } from './fields.ts'
import { RelationPicker } from './relation-picker.tsx'
import { Press } from '../parts/action-button.tsx'
import { Suggestions } from '../parts/controls.tsx'

/**
 * The input for the values of a field: a choice for enums and booleans, a search for foreign keys, otherwise the
 * input of the type of the field.
 */
export function ValueInput(props: ValueInputProps): VNode {
  const { field, text, label, id, isNull = false, isTall = false, problemId, onInput } = props
  const { kind, isNullable, isRequired, relation, suggestions = [] } = field
  const listId = useId()
  // Another input would lose the focus while a text grows.
  const [isLong] = useState(text.includes('\n') || (isTall && text.length > 60))
  const [isOther, setOther] = useState(false)
  const shared = {
    id,
    'aria-label': label,
    'aria-invalid': problemId !== undefined,
    'aria-describedby': problemId,
    value: text,
    dir: directionOf(text),
    readOnly: field.isReadOnly,
    placeholder: props.placeholder ?? (isNull ? 'null' : ''),
    onInput: (event: { currentTarget: { value: string } }) => onInput(event.currentTarget.value),
  }
  if (relation && !field.isReadOnly)
    return (
      <RelationPicker
        {...{ ...shared, field, text, onInput }}
        relation={relation}
        isInForm={isTall}
      />
    )
  if (hasChoice(field) && !isOther) {
    const values = kind === 'boolean' ? ['true', 'false'] : field.values.map(String)
    const isEmpty = isNullable || !isRequired || text === ''
    const all = values.includes(text) || text === '' ? values : [...values, text]
    const isText = field.values.some((value) => typeof value === 'string')
    return (
      <select
        {...shared}
        onInput={undefined}
        onChange={({ currentTarget: { value, selectedOptions } }) =>
          selectedOptions[0]?.dataset['other'] === 'true' ? setOther(true) : onInput(value)
        }
      >
        {isEmpty && <option value="">{isNullable ? 'null' : 'none'}</option>}
        {all.map((value) => (
          <option key={value}>{value}</option>
        ))}
        {isText && <option data-other="true">another value…</option>}
      </select>
    )
  }
  if (isLong || (isTall && (kind === 'text' || kind === 'json')))
    return (
      <textarea
        {...shared}
        class="growing"
        rows={kind === 'json' ? 3 : 4}
        spellcheck={kind === 'text'}
      />
    )
  const isNumber = kind === 'number' || kind === 'integer'
  if (kind === 'date') return <input {...shared} type="date" />
  const input = (
    <input
      {...shared}
      type="text"
      spellcheck={false}
      autocomplete="off"
      autofocus={isOther}
      list={suggestions.length > 0 ? listId : undefined}
      inputMode={isNumber ? 'decimal' : field.format === 'email' ? 'email' : 'text'}
    />
  )
  if (kind === 'date-time' && !field.isReadOnly)
    return <MomentInput text={text} input={input} onInput={onInput} />
  if (suggestions.length === 0) return input
  return (
    <span class="with-list">
      {input}
      <Suggestions id={listId} texts={suggestions} />
    </span>
  )
}

/** An input of a moment in UTC, with a picker in local time, the local time, and the present. */
function MomentInput({ text, input, onInput }: MomentInputProps): VNode {
  const picker = useRef<HTMLInputElement>(null)
  const moment = new Date(text)
  const isKnown = text !== '' && !Number.isNaN(moment.getTime())
  const local = isKnown ? toLocal(moment) : ''
  // A press keeps the focus in the text, as an editor in a cell ends without the focus.
  const keepFocus = (event: Event): void => event.preventDefault()
  return (
    <span class="moment" title={isKnown ? `${moment.toLocaleString()} local time` : undefined}>
      {input}
      <input
        ref={picker}
        type="datetime-local"
        step={1}
        class="picker"
        tabIndex={-1}
        aria-hidden="true"
        value={local}
        onInput={({ currentTarget: { value } }) =>
          value !== '' && onInput(new Date(value).toISOString())
        }
      />
      <Press
        icon={CalendarDays}
        kind="icon"
        label="Choose the time"
        onMouseDown={keepFocus}
        run={() => picker.current?.showPicker()}
      />
      <Press
        icon={Clock}
        kind="icon"
        label="Now"
        onMouseDown={keepFocus}
        run={() => onInput(new Date().toISOString())}
      />
    </span>
  )
}

interface MomentInputProps {
  text: string
  input: VNode
  onInput(text: string): void
}

/** A moment as the local date and time that `datetime-local` takes. */
function toLocal(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

/** A button that sets a value to null. There is no button if the field cannot be null, or if its choice has null. */
export function NullButton(props: NullButtonProps): VNode | null {
  const { field, describedBy, isNull, onPress } = props
  const isOffered = field.isNullable && !field.isReadOnly && field.kind !== 'any'
  if (!isOffered || hasChoice(field)) return null
  return (
    <Press
      text="null"
      kind="null-button"
      label="Set to null"
      aria-describedby={describedBy}
      aria-pressed={isNull}
      // Keeps the focus in the input, as an editor ends without it.
      onMouseDown={(event) => event.preventDefault()}
      run={onPress}
    />
  )
}

interface ValueInputProps {
  field: Field
  text: string
  label?: string | undefined
  id?: string
  placeholder?: string | undefined
  /** Whether the value is null, which no text is. */
  isNull?: boolean
  /** Whether there is room for several lines. */
  isTall?: boolean
  /** The id of the element that says what is wrong with the value; undefined while nothing is. */
  problemId?: string | undefined
  onInput(text: string): void
}

interface NullButtonProps {
  field: Field
  /** The id of the element that names the field. */
  describedBy?: string
  isNull: boolean
  onPress(): void
}

/** Whether the values of a field are chosen from a list. */
export function hasChoice({ kind, relation }: Field): boolean {
  return !relation && (kind === 'enum' || kind === 'boolean')
}

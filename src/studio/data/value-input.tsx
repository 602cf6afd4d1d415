import { tryJson } from '../../core/json/json.ts'
import { CalendarDays, Clock } from 'lucide'
import type { VNode } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { directionOf } from './direction.ts'
import type { Field } from './fields.ts'
import { Press, Suggestions } from '../parts/controls.tsx'
import { findResource, type Row } from '../app/state.ts'
import { go, hrefOf } from '../app/router.ts'
import { labelOf } from '../../core/json/label-of.ts'
import { findReferred, referredRecord } from './labels.ts'
import type { Relation } from './relations.ts'
import { useOutcome } from '../parts/use-loaded.ts'

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

/**
 * The input of a foreign key: a text that searches the records by their names, and a list of what it finds. The
 * text holds the ids, of a list as JSON, so that an id can be typed, too.
 */
function RelationPicker(props: RelationPickerProps): VNode {
  const { relation, field, text, isInForm, onInput, ...input } = props
  const isList = relation.isList && relation.field === field.name
  const ids = isList ? toList(text).map(String) : []
  const listId = useId()
  const box = useRef<HTMLInputElement>(null)
  /** The text to search for while the list is open. */
  const [typed, setTyped] = useState<string | undefined>()
  const [at, setAt] = useState(-1)
  const idField = findResource(relation.to)?.idField ?? 'id'
  const isOpen = typed !== undefined
  const record = isList || text === '' ? undefined : referredRecord(relation.to, text)
  const known = labelOf(record)
  const search = async (): Promise<Row[]> =>
    typed === undefined ? [] : findReferred(relation.to, typed).catch(() => [])
  const { value: found = [] } = useOutcome(search, [typed], { delay: 80 })

  function choose(row: Row | undefined): void {
    const id = row?.[idField] as string | number | undefined
    if (isList) {
      const next = toList(text).filter((one) => String(one) !== String(id))
      onInput(JSON.stringify(ids.includes(String(id)) ? next : [...next, id]))
      setTyped('')
    } else {
      onInput(id === undefined ? '' : String(id))
      setTyped(undefined)
    }
    setAt(-1)
  }

  const isKnownId = found.some((row) => String(row[idField]) === text)

  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      if (isOpen) setAt(Math.max(-1, Math.min(found.length - 1, at + step)))
      else setTyped('')
    } else if (event.key === 'Enter' && isOpen && at >= 0) choose(found[at])
    else if (event.key === 'Enter' && typed && !isKnownId && found[0]) choose(found[0])
    // In a cell, Escape gives the edit up at once.
    else if (event.key === 'Escape' && isOpen && isInForm) setTyped(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  const isEmptyOffered = !isList && (field.isNullable || !field.isRequired)
  // Near the bottom of the window, the list is above the input.
  const isAbove = innerHeight - (box.current?.getBoundingClientRect().bottom ?? 0) < 300
  return (
    <span class="picking">
      {ids.map((id) => (
        <Press
          text={`${labelOf(referredRecord(relation.to, id)) || id} ×`}
          key={id}
          kind="badge"
          label={`Remove ${id}`}
          onMouseDown={(event) => event.preventDefault()}
          run={() => onInput(JSON.stringify(toList(text).filter((one) => String(one) !== id)))}
        />
      ))}
      <input
        {...input}
        ref={box}
        type="text"
        role="combobox"
        autocomplete="off"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={at >= 0 ? `${listId}-${at}` : undefined}
        placeholder={isList ? `Search ${relation.to}` : input.placeholder}
        value={isList ? (typed ?? '') : text}
        onFocus={() => setTyped(record || isList ? '' : text)}
        // Typed text replaces the selected id.
        onClick={({ currentTarget }) => typed === '' && currentTarget.select()}
        onBlur={() => setTyped(undefined)}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value)
          setAt(-1)
          if (!isList) onInput(value)
        }}
        onKeyDown={press}
      />
      {known !== '' && typed === undefined && <span class="picked dim">{known}</span>}
      {isOpen && (
        <ul
          class={`options ${isAbove ? 'above' : ''}`}
          id={listId}
          role="listbox"
          aria-label={relation.to}
        >
          {found.map((row, index) => {
            const id = String(row[idField])
            return (
              <li
                key={id}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === at}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(row)}
              >
                {isList && (ids.includes(id) ? '✓ ' : '')}
                <span class="name">{labelOf(row)}</span> <span class="dim">{id}</span>
              </li>
            )
          })}
          {isEmptyOffered && (
            <li
              role="option"
              aria-selected={false}
              class="dim"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(undefined)}
            >
              none
            </li>
          )}
          <li
            role="option"
            aria-selected={false}
            class="dim"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(hrefOf('data', relation.to, { new: '1' }))}
          >
            New record in {relation.to}
          </li>
        </ul>
      )}
    </span>
  )
}

interface RelationPickerProps {
  relation: Relation
  field: Field
  text: string
  readOnly: boolean
  isInForm: boolean
  placeholder: string
  onInput(text: string): void
}

function toList(text: string): unknown[] {
  const list = tryJson(text)
  return Array.isArray(list) ? list : []
}

import type { VNode } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { findResource, type Row } from '../app/state.ts'
import { hrefOf } from '../app/router.ts'
import { findReferred, labelOf, referredRecord } from './labels.ts'
import type { Field } from './fields.ts'
import type { Relation } from './relations.ts'
import { Press } from '../parts/action-button.tsx'
import { tryJson } from '../parts/try-json.ts'
import { useOutcome } from '../parts/use-loaded.ts'

/**
 * The input of a foreign key: a text that searches the records by their names, and a list of what it finds. The
 * text holds the ids, of a list as JSON, so that an id can be typed, too.
 */
export function RelationPicker(props: RelationPickerProps): VNode {
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
          >
            <a tabIndex={-1} href={hrefOf('data', relation.to, { new: '1' })}>
              New record in {relation.to}
            </a>
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

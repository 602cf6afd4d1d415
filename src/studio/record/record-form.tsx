import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ControlError } from '../control.ts'
import { type Row, toMessage } from '../app/state.ts'
import { type Field, isSame, parseValue, toText } from '../data/values.ts'
import { ValueInput } from '../data/value-input.tsx'

/** The properties of {@link RecordForm}. */
export interface RecordFormProps {
  /** The record as it is now; empty for a new one. */
  record: Row
  fields: readonly Field[]
  idField: string
  isNew: boolean
  /** Writes the record `next`, which a person made from `base`. */
  onSave(base: Row, next: Row): Promise<void>
}

/** The fields of a record as a form. Fields that others change while it is open are marked. */
export function RecordForm({ record, fields, idField, isNew, onSave }: RecordFormProps): VNode {
  const [base, setBase] = useState(record)
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const isDirty = Object.keys(texts).length > 0
  // A form without edits follows the record.
  if (!isDirty && base !== record) setBase(record)

  async function save(event: Event): Promise<void> {
    event.preventDefault()
    const next: Row = { ...base }
    const wrong: Record<string, string> = {}
    for (const [name, text] of Object.entries(texts)) {
      const field = fields.find((one) => one.name === name)
      if (!field) continue
      try {
        if (text === '' && !field.isRequired && base[name] === undefined) delete next[name]
        else next[name] = parseValue(text, field)
      } catch (error) {
        wrong[name] = toMessage(error)
      }
    }
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    try {
      await onSave(base, next)
      setTexts({})
    } catch (error) {
      const own = error instanceof ControlError ? error.errors : {}
      setErrors({ ...own, '': toMessage(error) })
    }
  }

  const revert = (): void => {
    setTexts({})
    setErrors({})
  }
  return (
    <form class="form" onSubmit={(event) => void save(event)}>
      {fields.map((field) => {
        const { name, kind } = field
        const text = texts[name] ?? toText(base[name], kind)
        const isStale = name in texts && !isSame(base[name], record[name])
        const hint =
          errors[name] ?? (isStale ? `Changed meanwhile to ${toText(record[name], kind)}` : '')
        const isFixed = name === idField && !isNew
        return (
          <p key={name} class="field">
            <label for={`field-${name}`}>
              {name} <span class="dim">{isFixed ? 'id' : describe(field)}</span>
            </label>
            <ValueInput
              id={`field-${name}`}
              field={isFixed ? { ...field, isReadOnly: true, kind: 'string' } : field}
              text={text}
              isTall
              onInput={(value) => setTexts({ ...texts, [name]: value })}
            />
            {hint !== '' && (
              <span role="alert" class="problem">
                {hint}
              </span>
            )}
          </p>
        )
      })}
      {errors[''] !== undefined && (
        <p role="alert" class="problem">
          {errors['']}
        </p>
      )}
      <div class="bar">
        <button class="main" disabled={!isDirty && !isNew}>
          {isNew ? 'Add' : 'Save'}
        </button>
        {isDirty && (
          <button type="button" onClick={revert}>
            Revert
          </button>
        )}
      </div>
    </form>
  )
}

function describe({ kind, format, isNullable, isRequired }: Field): string {
  const optional = isRequired ? '' : ', optional'
  return `${format || kind}${isNullable && kind !== 'any' ? ' or null' : ''}${optional}`
}

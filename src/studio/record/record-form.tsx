import { Plus } from 'lucide'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { isRecord, isSame, ownValue, tryJson } from '../../core/json/json.ts'
import { toMessage, type Resource, type Row } from '../app/state.ts'
import { ControlError } from '../control.ts'
import { withInner } from '../data/ask-fields.ts'
import {
  parseValue,
  toText,
  valueOf,
  withFieldValue,
  withValue,
  type Field,
  type RecordChecks,
} from '../data/fields.ts'
import { fieldIcon } from '../data/field-icon.ts'
import { changedFields } from '../data/pending-edits.ts'
import { NullButton, ValueInput } from '../data/value-input.tsx'
import { useAction, Press, Form, Problem, Cross, Icon } from '../parts/controls.tsx'
import { FilesInput, NewFilesInput } from './files-input.tsx'
import { useDraft } from './use-draft.ts'

/** A form in which a record is edited field by field. Fields that others change while the form is open are marked. */
export function RecordForm(props: RecordFormProps): VNode {
  const { title, resource, record, fields, idField, isNew, nextId, loadFields, check, onSave } =
    props
  const { base, typed = nothing, put, end } = useDraft<Typed>(title, record)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const isDirty = Object.keys(typed).length > 0
  /** The record that the schema forbids, and that the next press saves all the same. */
  const [refused, setRefused] = useState<Typed | undefined>()
  const isForced = refused === typed

  const { run: save, isRunning } = useAction(async () => {
    const [next, wrong] = toRecord(base, typed, await loadFields())
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    const changed = isNew ? undefined : changedFields(base, next)
    const forbidden = Object.entries(isForced ? {} : await check(next)).filter(
      ([name]) => !changed || changed.includes(name),
    )
    if (forbidden.length > 0) {
      setErrors(Object.fromEntries(forbidden))
      setRefused(typed)
      return
    }
    try {
      const saved = await onSave(base, next)
      const toRest = (latest: Typed): Typed | undefined => typedSince(typed, latest)
      if (saved) end(toRest, saved.title, saved.record)
      else end(toRest, title, base)
    } catch (error) {
      const own = error instanceof ControlError ? error.errors : {}
      setErrors({ ...own, '': toMessage(error) })
    }
  }, title)

  const revert = (): void => {
    put(undefined)
    setErrors({})
  }
  return (
    <Form class="form" onSubmit={save}>
      {fields
        .flatMap((one) => leavesOf(one, base))
        .map((field, at) => {
          const { name, kind } = field
          const value = ownValue(typed, name)
          const [before, current] = [valueOf(base, field), valueOf(record, field)]
          const isNull = value === null || (value === undefined && before === null)
          const isStale = value !== undefined && !isRunning && !isSame(before, current)
          const hint =
            ownValue(errors, name) ??
            ownValue(errors, name.split('.', 1)[0] ?? '') ??
            (isStale ? `Changed meanwhile to ${toText(current, kind)}` : '')
          const text = value ?? (value === null ? '' : toText(before, kind))
          const hasFiles = field.isFile && !isNew
          const isFixed = name === idField && !isNew
          const isRequiredHere = field.isRequired && name !== idField && !field.isReadOnly
          return (
            <div key={name} class="field">
              <label for={`field-${at}`} id={`label-${at}`}>
                <Icon of={fieldIcon(field, idField)} />
                {name}{' '}
                {isRequiredHere && (
                  <span class="bad" aria-hidden="true">
                    *
                  </span>
                )}
                <span class="dim">{isFixed ? 'id' : describe(field, isRequiredHere)}</span>
              </label>
              <div class="line">
                {hasFiles ? (
                  <FilesInput {...{ resource, record, field }} />
                ) : field.isFile ? (
                  <NewFilesInput
                    id={`field-${at}`}
                    field={field}
                    onInput={(text) => put({ ...typed, [name]: text })}
                  />
                ) : field.item && isList(text) ? (
                  <ListInput
                    {...{ text, name, item: field.item, labelledBy: `label-${at}` }}
                    onInput={(next) => put({ ...typed, [name]: next })}
                  />
                ) : (
                  <ValueInput
                    id={`field-${at}`}
                    field={isFixed ? { ...field, isReadOnly: true, kind: 'string' } : field}
                    text={text}
                    isNull={isNull}
                    placeholder={isNew && name === idField ? nextId : undefined}
                    isTall={!isFixed}
                    problemId={hint === '' ? undefined : `problem-${at}`}
                    onInput={(text) => put({ ...typed, [name]: text })}
                  />
                )}
                {!isFixed && !field.isFile && (
                  <NullButton
                    field={field}
                    describedBy={`label-${at}`}
                    isNull={isNull}
                    onPress={() => put({ ...typed, [name]: null })}
                  />
                )}
              </div>
              <Problem text={hint} id={`problem-${at}`} />
            </div>
          )
        })}
      <Problem text={errors[''] ?? ''} />
      <div class="bar">
        <button class="main" disabled={!isDirty && !isNew} aria-disabled={isRunning}>
          {isForced ? (isNew ? 'Add anyway' : 'Save anyway') : isNew ? 'Add' : 'Save'}
        </button>
        {isDirty && <Press text="Revert" run={revert} />}
      </div>
    </Form>
  )
}

/**
 * Edits a list, the JSON `text`, item by item: a value, or the fields of an object, in a row. A text that does not fit
 * the type of the items stays a text, which the schema refuses.
 */
function ListInput({ name, item, text, labelledBy, onInput }: ListInputProps): VNode {
  const list = (tryJson(text) ?? []) as readonly unknown[]
  const put = (next: readonly unknown[]): void => onInput(JSON.stringify(next))
  const added = item.inner ? {} : item.kind === 'string' ? '' : (item.values[0] ?? null)
  return (
    <div class="items" role="group" aria-labelledby={labelledBy}>
      {list.map((value, at) => (
        <div key={at} class="line">
          <div>
            {leavesOf(item, { [name]: value }).map((leaf) => (
              <ValueInput
                key={leaf.name}
                field={leaf}
                label={`${leaf.name} ${at + 1}`}
                placeholder={leaf.name.slice(name.length + 1)}
                text={toText(valueOf({ [name]: value }, leaf), leaf.kind)}
                onInput={(next) => {
                  const item = withFieldValue({ [name]: value }, leaf.name, parseItem(next, leaf))
                  put(list.with(at, item[name]))
                }}
              />
            ))}
          </div>
          <Cross label={`Remove ${name} ${at + 1}`} run={() => put(list.toSpliced(at, 1))} />
        </div>
      ))}
      <Press icon={Plus} text="Add" kind="plain" run={() => put([...list, added])} />
    </div>
  )
}

interface ListInputProps {
  name: string
  item: Field
  text: string
  labelledBy: string
  onInput(text: string): void
}

/** The value of a text, or the text itself as long as its value has another form: `1.` on the way to 1.5. */
function parseItem(text: string, field: Field): unknown {
  try {
    const value = parseValue(text, field)
    return field.kind === 'json' || toText(value, field.kind) === text ? value : text
  } catch {
    return text
  }
}

/** Whether a text is a list as JSON, or empty. */
function isList(text: string): boolean {
  return text === '' || Array.isArray(tryJson(text))
}

/** The properties of {@link RecordForm}. */
export interface RecordFormProps extends RecordChecks {
  /** The name of the record: `posts 3`. */
  title: string
  /** The record as it is now; empty for a new one. */
  record: Row
  resource: Resource
  fields: readonly Field[]
  idField: string
  isNew: boolean
  /** Says which id a new record will get. */
  nextId?: string | undefined
  /** Writes the record `next`, which a person made from `base`. Resolves with undefined for a conflict. */
  onSave(base: Row, next: Row): Promise<Saved | undefined>
}

/** A record that was saved. */
export interface Saved {
  /** The name of the record, which a new one gets by its id. */
  title: string
  record: Row
}

/** The typed text of each field; null for a field that is set to null. */
type Typed = Readonly<Record<string, string | null>>

const nothing: Typed = {}

/** The fields that were typed after others were sent; undefined for none. */
function typedSince(sent: Typed, latest: Typed): Typed | undefined {
  const rest = Object.entries(latest).filter(([name, text]) => ownValue(sent, name) !== text)
  return rest.length > 0 ? Object.fromEntries(rest) : undefined
}

/** The record with what was typed, and the error of each field that does not fit. */
function toRecord(
  base: Row,
  typed: Typed,
  fields: readonly Field[],
): [next: Row, wrong: Record<string, string>] {
  let next = base
  let wrong: Record<string, string> = {}
  for (const [name, text] of Object.entries(typed)) {
    const field = withInner(fields).find((one) => one.name === name)
    const isLeftOut = text === '' && !field?.isRequired && valueOf(base, { name }) === undefined
    if (!field || isLeftOut) continue
    try {
      next = withFieldValue(next, name, text === null ? null : parseValue(text, field))
    } catch (error) {
      wrong = withValue(wrong, name, toMessage(error))
    }
  }
  return [next, wrong]
}

/** The fields inside of an object, each of which has an input of its own; any other field as it is. */
function leavesOf(field: Field, record: Row): readonly Field[] {
  const value = valueOf(record, field)
  const isObject = isRecord(value) || (value === undefined && Object.keys(record).length === 0)
  return field.inner && isObject ? field.inner.flatMap((one) => leavesOf(one, record)) : [field]
}

function describe(field: Field, isRequired: boolean): string {
  const { kind, format, isNullable, rule = '', item } = field
  const name = item
    ? `list of ${item.inner ? 'objects' : item.format || item.kind}`
    : format || kind
  const type = `${name}${isNullable && kind !== 'any' ? ' or null' : ''}`
  return [type, rule, isRequired ? '' : 'optional'].filter(Boolean).join(', ')
}

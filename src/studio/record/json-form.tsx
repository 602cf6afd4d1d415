import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { type Row, toMessage } from '../app/state.ts'
import { JsonEditor } from '../parts/json-editor.tsx'
import { Problem } from '../parts/problem.tsx'
import type { RecordFormProps } from './record-form.tsx'
import { useDraft } from './use-draft.ts'

/** The properties of {@link JsonForm}: those of the form of fields that it needs. */
export type JsonFormProps = Pick<RecordFormProps, 'title' | 'record' | 'isNew' | 'onSave'>

/** A record as JSON, which can be edited as a whole. */
export function JsonForm({ title, record, isNew, onSave }: JsonFormProps): VNode {
  const { base, typed, put, end } = useDraft<string>(`${title} as JSON`, record)
  const [error, setError] = useState('')
  const before = JSON.stringify(base, null, 2)
  const text = typed ?? before
  const isDirty = typed !== undefined

  async function save(): Promise<void> {
    try {
      const next = JSON.parse(text) as unknown
      if (typeof next !== 'object' || next === null || Array.isArray(next))
        throw new Error('A record is a JSON object. Please put it in { }.')
      const isSaved = await onSave(base, next as Row)
      if (isSaved) end(next as Row)
      else put(undefined)
      setError('')
    } catch (caught) {
      setError(toMessage(caught))
    }
  }

  return (
    <div class="form">
      <JsonEditor
        label="Record as JSON"
        text={text}
        onInput={(next) => put(next === before ? undefined : next)}
        onSave={() => void save()}
      />
      <Problem text={error} />
      <div class="bar">
        <button
          type="button"
          class="main"
          disabled={!isDirty && !isNew}
          onClick={() => void save()}
        >
          {isNew ? 'Add' : 'Save'}
        </button>
        {isDirty && (
          <button type="button" onClick={() => put(undefined)}>
            Revert
          </button>
        )}
      </div>
    </div>
  )
}

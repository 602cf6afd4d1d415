import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Row, toMessage } from '../app/state.ts'
import { JsonEditor } from '../parts/json-editor.tsx'
import type { RecordFormProps } from './record-form.tsx'

/** The properties of {@link JsonForm}: those of the form of fields that it needs. */
export type JsonFormProps = Pick<RecordFormProps, 'record' | 'isNew' | 'onSave'>

/** A record as JSON, which can be edited as a whole. */
export function JsonForm({ record, isNew, onSave }: JsonFormProps): VNode {
  const text = JSON.stringify(record, null, 2)
  const base = useRef({ text, record })
  const [draft, setDraft] = useState(text)
  const [error, setError] = useState('')
  const isDirty = draft !== base.current.text
  useEffect(() => {
    if (isDirty) return
    base.current = { text, record }
    setDraft(text)
  }, [text])

  async function save(): Promise<void> {
    try {
      const next = JSON.parse(draft) as unknown
      if (typeof next !== 'object' || next === null || Array.isArray(next))
        throw new Error('A record is a JSON object. Please put it in { }.')
      await onSave(base.current.record, next as Row)
      base.current = { text: draft, record: next as Row }
      setError('')
    } catch (caught) {
      setError(toMessage(caught))
    }
  }

  return (
    <div class="form">
      <JsonEditor
        label="Record as JSON"
        text={draft}
        onInput={setDraft}
        onSave={() => void save()}
      />
      {error !== '' && (
        <p role="alert" class="problem">
          {error}
        </p>
      )}
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
          <button type="button" onClick={() => setDraft(base.current.text)}>
            Revert
          </button>
        )}
      </div>
    </div>
  )
}

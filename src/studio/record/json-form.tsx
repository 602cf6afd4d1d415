import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { toMessage, type Row } from '../app/state.ts'
import { useAction, Press, Problem } from '../parts/controls.tsx'
import { JsonText } from '../parts/json-text.tsx'
import type { RecordFormProps } from './record-form.tsx'
import { useDraft } from './use-draft.ts'

/** A form in which a record is edited as a whole, as JSON. `RecordForm` edits the same record field by field. */
export function JsonForm({ title, record, isNew, onSave }: JsonFormProps): VNode {
  const name = `${title} as JSON`
  const { base, typed, put, end } = useDraft<string>(name, record)
  const [error, setError] = useState('')
  const before = JSON.stringify(base, null, 2)
  const text = typed ?? before
  const isDirty = typed !== undefined

  const { run: save, isRunning } = useAction(async () => {
    try {
      const next = JSON.parse(text) as unknown
      if (typeof next !== 'object' || next === null || Array.isArray(next))
        throw new Error('A record is a JSON object. Please put it in { }.')
      const saved = await onSave(base, next as Row)
      const toRest = (latest: string): string | undefined => (latest === text ? undefined : latest)
      if (saved) end(toRest, `${saved.title} as JSON`, next as Row)
      else end(toRest, name, base)
      setError('')
    } catch (caught) {
      setError(toMessage(caught))
    }
  }, title)

  return (
    <div class="form">
      <JsonText
        label="Record as JSON"
        text={text}
        onInput={(next) => put(next === before ? undefined : next)}
        onSave={() => void save()}
      />
      <Problem text={error} />
      <div class="bar">
        <Press
          text={isNew ? 'Add' : 'Save'}
          kind="main"
          disabled={!isDirty && !isNew}
          aria-disabled={isRunning}
          run={() => save()}
        />
        {isDirty && <Press text="Revert" run={() => put(undefined)} />}
      </div>
    </div>
  )
}

/** The properties of {@link JsonForm}, which are some of those of `RecordForm`. */
export type JsonFormProps = Pick<RecordFormProps, 'title' | 'record' | 'isNew' | 'onSave'>

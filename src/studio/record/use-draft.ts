import { useEffect, useState } from 'preact/hooks'
import { report } from '../app/notices.ts'
import type { Row } from '../app/state.ts'

/** An edit of a record that is not saved: the record as it was when the edit began, and what was typed. */
export interface Draft<Typed> {
  base: Row
  typed: Typed
}

/** Drafts: typed values that are not saved, by the name of the edited record or form. They outlive the view. */
const drafts = new Map<string, Draft<unknown>>()

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault()
})

/** The state of an edit of a record. */
export interface DraftState<Typed> {
  /** The record that the edit changes: as it was when the edit began, else as it is now. */
  base: Row
  /** The typed value; undefined without a draft. */
  typed: Typed | undefined
  /** Notes what was typed; undefined discards it. */
  put(typed: Typed | undefined): void
  /** Ends the edit with the record that was written, which is shown until it arrives. */
  end(written: Row): void
}

/** Keeps what is typed for a record until it is saved or discarded, also while another view is shown. */
export function useDraft<Typed>(name: string, record: Row): DraftState<Typed> {
  const [draft, setDraft] = useState(drafts.get(name) as Draft<Typed> | undefined)
  const [written, setWritten] = useState<{ before: Row; record: Row } | undefined>()
  const shown = written?.before === record ? written.record : record
  const base = draft?.base ?? shown
  useEffect(
    () => () => {
      if (drafts.has(name))
        report(`The changes of ${name} are not saved. They are there again when you open it.`)
    },
    [name],
  )

  function put(typed: Typed | undefined): void {
    const next = typed === undefined ? undefined : { base, typed }
    if (next) drafts.set(name, next)
    else drafts.delete(name)
    setDraft(next)
  }

  return {
    base,
    typed: draft?.typed,
    put,
    end(next) {
      put(undefined)
      setWritten({ before: record, record: next })
    },
  }
}

import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { report } from '../app/notices.ts'
import type { Row } from '../app/state.ts'

/** Keeps what is typed for a record, the draft, until it is saved or discarded, also while another view is shown. */
export function useDraft<Typed>(name: string, record: Row): DraftState<Typed> {
  const draft = drafts.value.get(name) as Draft<Typed> | undefined
  const base = draft?.base ?? record
  useEffect(
    () => () => {
      if (drafts.peek().has(name))
        report(`The changes of ${name} are not saved. They are there again when you open it.`)
    },
    [name],
  )
  return {
    base,
    typed: draft?.typed,
    put: (typed) => setDraft(name, typed === undefined ? undefined : { base, typed }),
    end(toRest, restName, restBase) {
      const latest = drafts.peek().get(name) as Draft<Typed> | undefined
      const typed = latest && toRest(latest.typed)
      setDraft(name, undefined)
      if (typed !== undefined) setDraft(restName, { base: restBase, typed })
    },
  }
}

/** The state of an edit of a record. */
export interface DraftState<Typed> {
  /** The record that the edit changes: as it was when the edit began, else as it is now. */
  base: Row
  /** The typed value; undefined without a draft. */
  typed: Typed | undefined
  /** Notes what was typed; undefined discards it. */
  put(typed: Typed | undefined): void
  /**
   * Ends the edit that was sent. `toRest` returns what was typed since, which becomes a draft with the given name and
   * base; undefined for nothing.
   */
  end(toRest: (typed: Typed) => Typed | undefined, name: string, base: Row): void
}

/** The unsaved values that a person has typed for a record, and the record as it was when the edit began. */
export interface Draft<Typed> {
  base: Row
  typed: Typed
}

/** The drafts by the name of the edited record or form. They outlive the view. */
const drafts: Signal<ReadonlyMap<string, Draft<unknown>>> = signal(new Map())

addEventListener('beforeunload', (event) => {
  if (drafts.value.size > 0) event.preventDefault()
})

function setDraft(name: string, draft: Draft<unknown> | undefined): void {
  const next = new Map(drafts.peek())
  if (draft) next.set(name, draft)
  else next.delete(name)
  drafts.value = next
}

import { useEffect, useState } from 'preact/hooks'
import { ask, ControlError, dbPath } from '../control.ts'
import { revision, type Row, toMessage } from '../app/state.ts'
import { onLocalWrite } from '../data/local-writes.ts'
import { idIn, withPending } from '../data/pending-edits.ts'

/**
 * Fetches the record with an id or, without an id, the value of a singleton or document, and fetches it again
 * after changes. A record that the page has written is shown at once; responses to earlier requests do not
 * replace it. With `isNew`, nothing is fetched.
 */
export function useRecord(name: string, id: string | undefined, isNew = false): FoundValue {
  const [found, setFound] = useState<FoundValue>({ value: undefined, problem: '' })
  useEffect(() => {
    if (isNew) return undefined
    let last = 0
    async function load(): Promise<void> {
      const turn = ++last
      try {
        const params = id === undefined ? {} : { id }
        const value = await ask<unknown>(dbPath(name), { params })
        if (turn === last) setFound({ value, problem: '' })
      } catch (error) {
        if (turn === last)
          setFound(({ value }) => ({ value, problem: toProblem(error, value, id) }))
      }
    }
    const stopListening = onLocalWrite((resource, record) => {
      if (resource.name !== name || (id !== undefined && idIn(resource, record) !== id)) return
      setFound({ value: record, problem: '' })
      void load()
    })
    void load()
    return () => {
      last++
      stopListening()
    }
  }, [name, id, isNew, revision.value])
  const { value, problem } = found
  return { value: value === undefined ? value : withPending(name, value as Row), problem }
}

/** The value of a resource or record, which is asked for again after changes. */
export interface FoundValue {
  /** The value as it is now, with edits on their way; undefined until it is known. A removed record stays. */
  value: unknown
  /** Why the value cannot be shown; empty for no reason. */
  problem: string
}

function toProblem(error: unknown, known: unknown, id: string | undefined): string {
  const isGone = error instanceof ControlError && error.status === 404 && id !== undefined
  if (!isGone) return toMessage(error)
  return known === undefined ? `There is no record "${id}".` : 'This record was removed.'
}

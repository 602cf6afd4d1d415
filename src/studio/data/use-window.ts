import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { revision } from '../app/state.ts'
import { createRecordWindow, type RecordWindow, type WindowQuery } from './record-window.ts'

/** The window that waits for its view, and the key of its query. */
let prepared: readonly [key: string, records: RecordWindow] | undefined

/** Creates the window of a view before the view is rendered. Resolves when records or an error arrive. */
export async function prepareWindow(name: string, query: WindowQuery): Promise<void> {
  const records = createRecordWindow(name, query)
  prepared = [keyOf(name, query), records]
  return new Promise((resolve) => records.listen(resolve))
}

/** A window on the records of a query, which follows the changes of the mock. */
export function useWindow(name: string, query: WindowQuery): RecordWindow {
  const [, update] = useReducer((count: number) => count + 1, 0)
  const key = keyOf(name, query)
  const last = useRef<RecordWindow | undefined>(undefined)
  const records = useMemo(() => {
    const taken = takePrepared(key) ?? createRecordWindow(name, query)
    taken.listen(() => update(undefined))
    return taken
  }, [key])
  useEffect(() => () => records.close(), [records])
  useEffect(() => {
    // A new window has just asked.
    if (last.current === records) records.refresh()
    last.current = records
  }, [records, revision.value])
  return records
}

function keyOf(name: string, query: WindowQuery): string {
  return JSON.stringify([name, query])
}

function takePrepared(key: string): RecordWindow | undefined {
  const [known, records] = prepared ?? []
  prepared = undefined
  if (known === key) return records
  records?.close()
  return undefined
}

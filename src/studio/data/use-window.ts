import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { revision } from '../app/state.ts'
import { createRecordWindow, type RecordWindow, type WindowQuery } from './record-window.ts'

/** A window on the records of a query, which follows the changes of the mock. */
export function useWindow(name: string, query: WindowQuery): RecordWindow {
  const [, update] = useReducer((count: number) => count + 1, 0)
  const key = JSON.stringify([name, query])
  const records = useMemo(() => createRecordWindow(name, query, () => update(undefined)), [key])
  useEffect(() => () => records.close(), [records])
  const last = useRef<RecordWindow | undefined>(undefined)
  useEffect(() => {
    // A new window has just asked.
    if (last.current === records) records.refresh()
    last.current = records
  }, [records, revision.value])
  return records
}

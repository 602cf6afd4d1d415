import { useEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { revision } from '../app/state.ts'
import { createRecordWindow, type RecordWindow, type WindowQuery } from './record-window.ts'

/**
 * Opens a window on the records of a query (only the records near the viewport are fetched), which follows the
 * changes of the mock.
 */
export function useWindow(name: string, query: WindowQuery): RecordWindow {
  const [, update] = useReducer((count: number) => count + 1, 0)
  const key = keyOf(name, query)
  const asked = useRef(0)
  const records = useMemo(() => {
    const taken = takePrepared(key)
    const opened = taken?.records ?? createRecordWindow(name, query)
    asked.current = taken?.asked ?? revision.peek()
    opened.listen(() => update(undefined))
    return opened
  }, [key])
  useEffect(() => () => records.close(), [records])
  useEffect(() => {
    if (asked.current !== revision.value) records.refresh()
    asked.current = revision.value
  }, [records, revision.value])
  return records
}

/** Creates the window of a view before the first frame. Resolves when records or an error arrive. */
export async function prepareWindow(name: string, query: WindowQuery): Promise<void> {
  const records = createRecordWindow(name, query)
  prepared = { key: keyOf(name, query), records, asked: Math.max(1, revision.peek()) }
  return new Promise((resolve) => records.listen(resolve))
}

/** Closes the prepared window if the first frame did not show it: a later view would show old records. */
export function closePrepared(): void {
  prepared?.records.close()
  prepared = undefined
}

/** A window that was created before its view. */
interface PreparedWindow {
  key: string
  records: RecordWindow
  /** The revision at which the window has asked; 1 if it asks at the same time as the first state. */
  asked: number
}

let prepared: PreparedWindow | undefined

function keyOf(name: string, query: WindowQuery): string {
  return JSON.stringify([name, query])
}

function takePrepared(key: string): PreparedWindow | undefined {
  if (prepared?.key !== key) return undefined
  const taken = prepared
  prepared = undefined
  return taken
}

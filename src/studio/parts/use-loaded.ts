import { useEffect, useState } from 'preact/hooks'
import { reportError } from '../app/notices.ts'
import { toMessage } from '../app/state.ts'

/**
 * Returns the value that `load` resolves with; undefined until the value is known. Changed keys load the value
 * again: the old value stays until the new one arrives, and a value or error of earlier keys that arrives
 * later is dropped. An error is reported over the page.
 */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  keys: readonly unknown[],
): Value | undefined {
  return useOutcome(load, keys, { onError: reportError }).value
}

/** Loads as {@link useLoaded} does, and returns the error of the last load to show it where it belongs. */
export function useOutcome<Value>(
  load: () => Promise<Value>,
  keys: readonly unknown[],
  { delay = 0, onError }: LoadOptions = {},
): Outcome<Value> {
  const [outcome, setOutcome] = useState<Outcome<Value>>({ value: undefined, problem: '' })
  useEffect(() => {
    let isLate = false
    const start = async (): Promise<void> => {
      try {
        const value = await load()
        if (!isLate) setOutcome({ value, problem: '' })
      } catch (error) {
        if (isLate) return
        onError?.(error)
        setOutcome(({ value }) => ({ value, problem: toMessage(error) }))
      }
    }
    const timer = delay > 0 ? setTimeout(() => void start(), delay) : void start()
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, keys)
  return outcome
}

interface LoadOptions {
  /** How long the keys have to stay the same before the load, in milliseconds. */
  delay?: number
  onError?(error: unknown): void
}

interface Outcome<Value> {
  value: Value | undefined
  /** The error of the last load; empty for none. */
  problem: string
}

import { useEffect, useState } from 'preact/hooks'
import { reportError } from '../app/notices.ts'

/**
 * Returns the value that `load` resolves with; undefined until the value is known. Changed keys load the value
 * again: the old value stays until the new one arrives, and a value or error of earlier keys that arrives
 * later is dropped.
 */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  keys: readonly unknown[],
): Value | undefined {
  const [value, setValue] = useState<Value | undefined>()
  useEffect(() => {
    let isLate = false
    load().then(
      (loaded) => !isLate && setValue(() => loaded),
      (error: unknown) => !isLate && reportError(error),
    )
    return () => {
      isLate = true
    }
  }, keys)
  return value
}

import type { Dialect } from '../contract/dialect.ts'

/**
 * Whether a dialect has the same functions as another. A description for API documents is true only for such a
 * copy, because a dialect with another function may have another wire.
 */
export function isCopyOf(dialect: Dialect, original: Dialect): boolean {
  const names = new Set([...Object.keys(dialect), ...Object.keys(original)])
  return [...names].every((name) => {
    const key = name as keyof Dialect
    return ['name', 'describe', 'indent'].includes(key) || dialect[key] === original[key]
  })
}

import type { Dialect } from '../contract/dialect.ts'

/** Whether a dialect has all functions of another, so that the description of the other is true for it. */
export function isCopyOf(dialect: Dialect, original: Dialect): boolean {
  const names = new Set([...Object.keys(dialect), ...Object.keys(original)])
  return [...names].every((name) => {
    const key = name as keyof Dialect
    return ['name', 'describe', 'indent'].includes(key) || dialect[key] === original[key]
  })
}

/**
 * Splits a path as dot-prop does for json-server 1: `author.name`, `tags[0]`, or `a\.b` as one key. A path
 * with a forbidden key has no steps. Up to dot-prop 9 (`hasIndexKeys: false`), `tags.0` is no element of a list.
 * @throws SyntaxError for a wrong bracket, or a key right after an index
 */
export function splitPath(path: string, hasIndexKeys = true): readonly Step[] {
  const toKey = (key: string): Step => (hasIndexKeys ? toStep(key) : key)
  const steps: Step[] = []
  let key = ''
  // After an index, only a dot can start another key.
  let state: 'start' | 'key' | 'afterIndex' = 'start'
  for (let at = 0; at < path.length; at++) {
    const char = path[at] ?? ''
    if (char === '.') {
      if (state !== 'afterIndex') steps.push(toKey(key))
      if (forbidden.has(key)) return []
      key = ''
      state = 'key'
      continue
    }
    if (char === '[') {
      if (forbidden.has(key)) return []
      const digits = /^\d*(?=\])/.exec(path.slice(at + 1))?.[0]
      if (digits === undefined) throw new SyntaxError('it has an index that is not a number')
      at += digits.length + 1
      if (digits === '') {
        key += '[]'
        state = 'key'
        continue
      }
      if (state === 'key') steps.push(toKey(key))
      steps.push(hasIndexKeys ? toStep(digits) : Number(digits))
      key = ''
      state = 'afterIndex'
      continue
    }
    if (state === 'afterIndex') throw new SyntaxError('it has a key after an index without a dot')
    const next = path[at + 1]
    const canEscape = next !== undefined && (hasIndexKeys || '.[\\'.includes(next))
    const isEscape = char === '\\' && canEscape
    key += isEscape ? path[++at] : char
    state = 'key'
  }
  if (state === 'afterIndex') return steps
  return forbidden.has(key) ? [] : [...steps, toKey(key)]
}

/** Splits a path; an invalid path has no steps, and so no value. */
export function toSteps(path: string, hasIndexKeys = true): readonly Step[] {
  try {
    return splitPath(path, hasIndexKeys)
  } catch {
    return []
  }
}

/** Returns the value at a path, read from own properties; undefined below null. */
export function readPath(value: unknown, steps: readonly Step[]): unknown {
  if (steps.length === 0) return undefined
  let found = value
  for (const step of steps) {
    if (Array.isArray(found) && typeof step === 'string' && /^\d+$/.test(step)) return undefined
    if (!Object.hasOwn(Object(found) as object, step)) return undefined
    found = (found as Record<Step, unknown>)[step]
  }
  return found
}

/** One step of a path: the key of an object, or the index of an array, as in `tags[0].name`. */
export type Step = string | number

/** A path with one of these keys has no value. */
const forbidden = new Set(['__proto__', 'prototype', 'constructor'])
const highestIndex = 1_000_000

function toStep(key: string): Step {
  return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) <= highestIndex ? Number(key) : key
}

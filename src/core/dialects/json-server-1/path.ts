/** One step of a path: a key, or the index of an array. */
export type Step = string | number

/** A path that holds one of these leads nowhere. */
const forbidden = new Set(['__proto__', 'prototype', 'constructor'])
const highestIndex = 1_000_000

/**
 * Splits `author.name`, `tags[0]` or `a\.b`, which is one key, into steps; none for a path that leads
 * nowhere.
 * @throws SyntaxError when a bracket holds what is no index, or is not closed
 */
export function splitPath(path: string): readonly Step[] {
  const steps: Step[] = []
  let key = ''
  // Behind an index there is no key until a dot begins one.
  let place: 'start' | 'key' | 'behind' = 'start'
  for (let at = 0; at < path.length; at++) {
    const char = path[at] ?? ''
    if (char === '.') {
      if (place !== 'behind') steps.push(toStep(key))
      if (forbidden.has(key)) return []
      key = ''
      place = 'key'
      continue
    }
    if (char === '[') {
      if (forbidden.has(key)) return []
      const digits = /^\d*(?=\])/.exec(path.slice(at + 1))?.[0]
      if (digits === undefined) throw new SyntaxError('it has an index that is no number')
      at += digits.length + 1
      if (digits === '') {
        key += '[]'
        place = 'key'
        continue
      }
      if (place === 'key') steps.push(toStep(key))
      steps.push(toStep(digits))
      key = ''
      place = 'behind'
      continue
    }
    if (place === 'behind') throw new SyntaxError('it has a key behind an index without a dot')
    const isEscape = char === '\\' && at + 1 < path.length
    key += isEscape ? path[++at] : char
    place = 'key'
  }
  if (place === 'behind') return steps
  return forbidden.has(key) ? [] : [...steps, toStep(key)]
}

function toStep(key: string): Step {
  return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) <= highestIndex ? Number(key) : key
}

/** The value that a path leads to through own properties; what is null has none. */
export function readPath(value: unknown, steps: readonly Step[]): unknown {
  if (steps.length === 0) return undefined
  let found = value
  for (const step of steps) {
    if (!Object.hasOwn(Object(found) as object, step)) return undefined
    found = (found as Record<Step, unknown>)[step]
  }
  return found
}

/** Splits a path; one that cannot be read leads nowhere. */
export function toSteps(path: string): readonly Step[] {
  try {
    return splitPath(path)
  } catch {
    return []
  }
}

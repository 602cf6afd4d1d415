import type { Json } from '../../core/json/json.ts'
import type { FileResource, Problem } from './shape.ts'

/**
 * Finds the first value of a fixture that a response cannot represent in JSON: an infinite number, such as
 * `1e999`, or a value that is nested too deep.
 */
export function findUnrepresentable({ path, value }: FileResource): Problem[] {
  const found = findIn(value, 0)
  if (!found) return []
  const { steps, ...problem } = found
  return [{ severity: 'error', ...problem, path: [...path, ...steps.toReversed()] }]
}

/**
 * The maximum nesting depth of the value of a resource; a deeper value is an error, because functions that
 * read values recursively would overflow the stack.
 */
const MAX_DEPTH = 1000

interface Found extends Pick<Problem, 'problem' | 'advice' | 'number'> {
  /** The path from the resource to the value, the last key first. */
  steps: Problem['path']
}

function findIn(value: Json, depth: number): Found | undefined {
  if (value === Infinity || value === -Infinity) {
    const problem = 'the number {number} is too large'
    const found = toFound(problem, 'Please write it as a string, in double quotes.')
    return { ...found, number: String(value) }
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === MAX_DEPTH) {
    return toFound(`it is nested deeper than ${MAX_DEPTH}`, 'Please flatten it.')
  }
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const found = findIn(value[at] ?? null, depth + 1)
      if (found) return withStep(found, at, depth)
    }
    return undefined
  }
  for (const key in value) {
    const found = findIn(value[key] ?? null, depth + 1)
    if (found) return withStep(found, key, depth)
  }
  return undefined
}

function toFound(problem: string, advice: string): Found {
  return { problem, advice, steps: [] }
}

/** Adds a key to the path. Only the outermost 16 keys are kept, enough to find the value. */
function withStep(found: Found, step: string | number, depth: number): Found {
  if (depth < 16) found.steps.push(step)
  return found
}

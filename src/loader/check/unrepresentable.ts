import type { Json } from '../../core/json/json.ts'
import type { Part, Problem } from './shape.ts'

/** How far a fixture may be nested: much further, and who reads it runs out of stack. */
const deepest = 1000

/** What no answer could hold of a resource: a number that is infinite, or values nested too deep. */
export function findUnheld({ path, value }: Part): Problem[] {
  const found = look(value, 0)
  if (!found) return []
  const { steps, ...problem } = found
  return [{ severity: 'error', ...problem, path: [...path, ...steps.toReversed()] }]
}

interface Found extends Pick<Problem, 'problem' | 'advice'> {
  /** The keys that lead there, the last one first. */
  steps: Problem['path']
}

function look(value: Json, depth: number): Found | undefined {
  if (value === Infinity || value === -Infinity) {
    return toFound('a number is too large', 'Please write it as a text, in double quotes.')
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === deepest) return toFound(`it is nested deeper than ${deepest}`, 'Please flatten it.')
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const found = look(value[at] ?? null, depth + 1)
      if (found) return withStep(found, at, depth)
    }
    return undefined
  }
  for (const key in value) {
    const found = look(value[key] ?? null, depth + 1)
    if (found) return withStep(found, key, depth)
  }
  return undefined
}

function toFound(problem: string, advice: string): Found {
  return { problem, advice, steps: [] }
}

/** The first steps tell where to look; no more of them are kept than a reader follows. */
function withStep(found: Found, step: string | number, depth: number): Found {
  if (depth < 16) found.steps.push(step)
  return found
}

import { idFieldOf, type IdOption } from '../../core/fixtures/id-field.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../core/json/json.ts'
import type { FileResource } from '../read/database-file.ts'
import { firstOfEach, type Problem } from './problem.ts'

/** Finds the first problems of each kind in a collection: other values, invalid ids and duplicate ids. */
export function findShapeProblems(
  { name, value, path }: FileResource,
  id: IdOption | undefined,
): Problem[] {
  if (!Array.isArray(value) || !value.some(isRecord)) return []
  const records = value.filter(isRecord)
  if (records.length !== value.length) return findMixed(path, value)
  return findIdProblems(path, records, idFieldOf(id, name))
}

function findMixed(path: readonly string[], values: Json[]): Problem[] {
  const index = values.findIndex((value) => !isRecord(value))
  return [
    {
      severity: 'error',
      path: [...path, index],
      problem: `an array of records also holds ${describe(values[index])}`,
      advice: 'Please make every element an object, or no element.',
    },
  ]
}

function findIdProblems(root: readonly string[], records: JsonRecord[], field: string): Problem[] {
  if (areAscending(records, field)) return []
  const problems: Problem[] = []
  const firstIndexes = new Map<string, number>()
  for (const [index, record] of records.entries()) {
    const id = ownValue(record, field)
    if (id === undefined || id === null) continue
    const path = [...root, index, field]
    if ((typeof id !== 'string' && typeof id !== 'number') || id === '') {
      const problem = `an id is a string or a number, but "${field}" holds ${describe(id)}`
      const advice = 'Please give the record a valid id, or remove the field.'
      problems.push({ severity: 'error', path, problem, advice })
      continue
    }
    if (Number.isInteger(id) && !Number.isSafeInteger(id)) {
      const problem = 'the id {number} is larger than 2^53 - 1, so it may have lost digits'
      const advice = 'Please write it as a string, in double quotes.'
      problems.push({ severity: 'warning', path, problem, advice, number: String(id) })
    }
    const key = String(id)
    const before = firstIndexes.get(key)
    firstIndexes.set(key, before ?? index)
    if (before === undefined) continue
    problems.push({
      severity: 'error',
      path,
      problem: `the id "${key}" is used twice, first at {first}`,
      advice: 'Please give one of the two records another id (1 and "1" are the same id).',
      first: [...root, before, field],
    })
  }
  return firstOfEach(problems, ({ advice }) => advice)
}

/** Whether each id is a number greater than the id before. Such ids, the usual case, need no other check. */
function areAscending(records: readonly JsonRecord[], field: string): boolean {
  let last = -Infinity
  return records.every((record) => {
    const id = ownValue(record, field)
    const isGreater = typeof id === 'number' && id > last && id <= Number.MAX_SAFE_INTEGER
    if (isGreater) last = id
    return isGreater
  })
}

function describe(value: Json | undefined): string {
  if (value === '') return 'an empty string'
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `the ${typeof value} ${JSON.stringify(value)}`
}

/** Finds the first value of a resource that JSON cannot represent (`1e999`), or that is nested too deep. */
export function findUnrepresentable({ path, value }: FileResource): Problem[] {
  const found = findIn(value, 0)
  if (!found) return []
  const { steps, ...problem } = found
  return [{ severity: 'error', ...problem, path: [...path, ...steps.toReversed()] }]
}

/** The deepest nesting of a resource: deeper values would overflow the stack of recursive functions. */
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

/** Adds the key at a depth to the path. Only the outermost 16 keys are kept, enough to find the value. */
function withStep(found: Found, step: string | number, depth: number): Found {
  if (depth < 16) found.steps.push(step)
  return found
}

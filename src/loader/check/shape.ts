import { idFieldOf, type IdOption } from '../../core/fixtures/id-field.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../core/json/json.ts'
import { firstOfEach, type Problem } from './problem.ts'

/** A resource in a file. */
export interface FileResource {
  name: string
  value: Json
  /** The path of keys from the root of the file to the resource. */
  path: string[]
}

/** Splits the value of a database file into its resources, whose names begin with the prefix. */
export function splitDatabase(
  value: Json,
  prefix: string,
): { resources: FileResource[]; problems: Problem[] } {
  if (!isRecord(value)) {
    const what = Array.isArray(value) ? 'an array' : 'a single value'
    const problem: Problem = {
      severity: 'error',
      path: [],
      problem: `a database file holds an object with one key for each resource, but this file holds ${what}`,
      advice: 'Please put the file into a folder and serve the folder, or wrap it in an object.',
    }
    return { resources: [], problems: [problem] }
  }
  const names = Object.keys(value).filter((name) => !isIgnoredKey(name))
  const problems = names.filter(hasEmptySegment).map((name): Problem => ({
    severity: 'error',
    path: [name],
    problem: `the name "${name}" has an empty part`,
    advice: 'Please name the resource like "posts" or "v1/posts".',
  }))
  const resources = names.map((key) => ({
    name: prefix + key,
    value: value[key] ?? null,
    path: [key],
  }))
  return { resources, problems }
}

/** The resource of a file in a folder, which is its whole value without the `$schema` key of a singleton. */
export function toFileResource(name: string, value: Json): FileResource {
  if (!isRecord(value) || !Object.hasOwn(value, '$schema')) return { name, value, path: [] }
  const { $schema: _, ...rest } = value
  return { name, value: rest, path: [] }
}

/** Whether a key of a database file is not a resource: `$schema`, or a name that is ignored in folders too. */
export function isIgnoredKey(name: string): boolean {
  return name === '$schema' || name.startsWith('.') || name.startsWith('_')
}

/** Finds mixed arrays, invalid ids and duplicate ids in a resource: the first of each kind. */
export function findShapeProblems(
  { name, value, path }: FileResource,
  id: IdOption | undefined,
): Problem[] {
  if (!Array.isArray(value) || !value.some(isRecord)) return []
  const records = value.filter(isRecord)
  if (records.length !== value.length) return findMixed(path, value)
  return findIdProblems(path, records, idFieldOf(id, name))
}

/**
 * Whether a named file is a database: `db.json`, or an object. Of several files (`fixtures/*.json`), only an
 * object that holds nothing but arrays, at least one, and objects, as json-server 0.17 requires.
 */
export function isDatabase(name: string, value: Json, isAlone: boolean): boolean {
  if (databaseName.test(name)) return true
  if (!isRecord(value) || isAlone) return isRecord(value)
  const values = valuesOf(value)
  const isNested = values.every((one) => typeof one === 'object' && one !== null)
  return isNested && values.some((one) => Array.isArray(one))
}

/** The names of files that tutorials of json-server give to a database. */
const databaseName = /^(?:db|database)$/i

/** Whether a file in a folder is a database: `db.json` with a collection, which may be empty. */
export function isFolderDatabase(name: string, value: Json): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1)
  return databaseName.test(base) && isRecord(value) && valuesOf(value).some(isCollection)
}

/** Warns if a file in a folder is probably a json-server database with another name. */
export function findDatabaseHint({ value }: FileResource, label: string): Problem[] {
  if (!isRecord(value)) return []
  const values = valuesOf(value)
  if (values.length === 0 || !values.every((one) => Array.isArray(one))) return []
  const file = /\s/.test(label) ? `"${label}"` : label
  const hint: Problem = {
    severity: 'warning',
    path: [],
    problem: 'every value is an array, so this is probably a json-server database',
    advice: `To serve each key as a collection, run: npx fixtura server ${file}`,
  }
  return [hint]
}

/** The values of an object that can be resources. */
function valuesOf(value: JsonRecord): Json[] {
  return Object.entries(value).flatMap(([name, one]) => (isIgnoredKey(name) ? [] : [one]))
}

function isCollection(value: Json): boolean {
  return Array.isArray(value) && value.every(isRecord)
}

function hasEmptySegment(name: string): boolean {
  return name.split('/').includes('')
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
  /** The index of the first record with an id. */
  const indexOf = new Map<string, number>()
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
    const before = indexOf.get(key)
    indexOf.set(key, before ?? index)
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

/** Finds the first value that JSON cannot represent (`1e999`), or that is nested too deep. */
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

/** Adds a key to the path. Only the outermost 16 keys are kept, enough to find the value. */
function withStep(found: Found, step: string | number, depth: number): Found {
  if (depth < 16) found.steps.push(step)
  return found
}

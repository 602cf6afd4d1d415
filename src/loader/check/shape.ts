import { idFieldOf, type IdOption } from '../../core/fixtures/id-field.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../../core/json/json.ts'

/** Something wrong inside a value, with the path of keys and indexes that leads to it. */
export interface Problem {
  severity: 'error' | 'warning'
  path: (string | number)[]
  /** What is wrong, without the file's name. A second place goes in for `{first}`. */
  problem: string
  advice: string
  /** Where else the reader has to look. */
  first?: (string | number)[]
}

/** One resource of a file: its name, its value, and the keys that lead to it inside the file. */
export interface Part {
  name: string
  value: Json
  path: string[]
}

/** Splits what a database file holds into its resources. */
export function splitDatabase(value: Json): { parts: Part[]; problems: Problem[] } {
  if (!isRecord(value)) {
    const what = Array.isArray(value) ? 'an array' : 'a single value'
    const problem: Problem = {
      severity: 'error',
      path: [],
      problem: `a database file holds an object with one key for each resource, this one holds ${what}`,
      advice: 'Please put the file into a folder and serve the folder, or wrap it in an object.',
    }
    return { parts: [], problems: [problem] }
  }
  const names = Object.keys(value).filter((name) => !isIgnoredKey(name))
  const problems = names.filter(hasEmptySegment).map((name): Problem => ({
    severity: 'error',
    path: [name],
    problem: `the name "${name}" has an empty part`,
    advice: 'Please name the resource like "posts" or "v1/posts".',
  }))
  const parts = names.map((name) => ({ name, value: value[name] ?? null, path: [name] }))
  return { parts, problems }
}

/** What a file in a folder holds: one resource. The `$schema` key of a singleton is not data. */
export function toPart(name: string, value: Json): Part {
  if (!isRecord(value) || !Object.hasOwn(value, '$schema')) return { name, value, path: [] }
  const { $schema: _, ...rest } = value
  return { name, value: rest, path: [] }
}

/** Whether a key of a database file is no resource: `$schema`, or a name that is passed over in folders too. */
export function isIgnoredKey(name: string): boolean {
  return name === '$schema' || name.startsWith('.') || name.startsWith('_')
}

/** Everything wrong with the shape of one resource: mixed arrays, unusable ids, ids that stand twice. */
export function findShapeProblems(part: Part, id: IdOption | undefined): Problem[] {
  if (!Array.isArray(part.value) || !part.value.some(isRecord)) return []
  const records = part.value.filter(isRecord)
  if (records.length !== part.value.length) return findMixed(part, part.value)
  return findIdProblems(part, records, idFieldOf(id, part.name))
}

/** A hint that a file in a folder is a whole json-server database. */
export function findDatabaseHint(part: Part, label: string): Problem[] {
  if (!isRecord(part.value)) return []
  const values = Object.values(part.value)
  if (values.length === 0 || !values.every((value) => Array.isArray(value))) return []
  const file = /\s/.test(label) ? `"${label}"` : label
  const hint: Problem = {
    severity: 'warning',
    path: [],
    problem: 'every value is an array, so this is probably a json-server database',
    advice: `To serve each key as a collection, run: mock server ${file}`,
  }
  return [hint]
}

function hasEmptySegment(name: string): boolean {
  return name.split('/').includes('')
}

function findMixed(part: Part, values: Json[]): Problem[] {
  const index = values.findIndex((value) => !isRecord(value))
  return [
    {
      severity: 'error',
      path: [...part.path, index],
      problem: `an array of records holds ${describe(values[index])} among them`,
      advice: 'Please make every element an object, or none.',
    },
  ]
}

function findIdProblems(part: Part, records: JsonRecord[], field: string): Problem[] {
  if (areRising(records, field)) return []
  const problems: Problem[] = []
  const seen = new Map<string, number>()
  for (const [index, record] of records.entries()) {
    const id = ownValue(record, field)
    if (id === undefined || id === null) continue
    const path = [...part.path, index, field]
    if ((typeof id !== 'string' && typeof id !== 'number') || id === '') {
      const problem = `an id is a text or a number, "${field}" holds ${describe(id)}`
      const advice = 'Please give the record an id of its own, or none.'
      problems.push({ severity: 'error', path, problem, advice })
      continue
    }
    if (Number.isInteger(id) && !Number.isSafeInteger(id)) {
      const problem = `the id ${id} is beyond the numbers that are exact, so it may not be as it is written`
      const advice = 'Please write it as a text, in double quotes.'
      problems.push({ severity: 'warning', path, problem, advice })
    }
    const key = String(id)
    const before = seen.get(key)
    seen.set(key, before ?? index)
    if (before === undefined) continue
    problems.push({
      severity: 'error',
      path,
      problem: `the id "${key}" stands twice, first at {first}`,
      advice: 'Please give one of the two records another id (1 and "1" are the same id).',
      first: [...part.path, before, field],
    })
  }
  return problems
}

/** Whether every id is a number above the one before, which most are; then all is well at a glance. */
function areRising(records: readonly JsonRecord[], field: string): boolean {
  let last = -Infinity
  return records.every((record) => {
    const id = ownValue(record, field)
    const isRising = typeof id === 'number' && id > last && id <= Number.MAX_SAFE_INTEGER
    if (isRising) last = id
    return isRising
  })
}

function describe(value: Json | undefined): string {
  if (value === '') return 'an empty text'
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `${typeof value} ${JSON.stringify(value)}`
}

import { isRecord, type Json, type JsonRecord } from '../../core/json/json.ts'
import type { Problem } from '../check/problem.ts'

/**
 * Whether a named file is a database file: an object, as in `db.json`, each of whose keys is a resource. Of several
 * files (`fixtures/*.json`), only an object of arrays, at least one, and objects, as json-server 0.17 requires.
 */
export function isDatabase(name: string, value: Json, isAlone: boolean): boolean {
  if (databaseName.test(name)) return true
  if (!isRecord(value) || isAlone) return isRecord(value)
  const values = resourceValues(value)
  const isNested = values.every((one) => typeof one === 'object' && one !== null)
  return isNested && values.some((one) => Array.isArray(one))
}

/** The names of files that tutorials of json-server give to a database. */
const databaseName = /^(?:db|database)$/i

/** Whether a file in a folder is a database file: `db.json` with a collection, which may be empty. */
export function isFolderDatabase(name: string, value: Json): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1)
  return databaseName.test(base) && isRecord(value) && resourceValues(value).some(isCollection)
}

/** Warns if a file in a folder, which is served as one resource, is probably a database file with another name. */
export function findDatabaseHint({ value }: FileResource, label: string): Problem[] {
  if (!isRecord(value)) return []
  const values = resourceValues(value)
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

/** A resource in a file. */
export interface FileResource {
  name: string
  value: Json
  /** The path of keys from the root of the file to the resource. */
  path: string[]
}

/** Splits the value of a database file into its resources. `prefix`, the folder of the file, begins their names. */
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

/** Returns the resource of a file that is no database file: its whole value without the `$schema` key of a singleton. */
export function toFileResource(name: string, value: Json): FileResource {
  if (!isRecord(value) || !Object.hasOwn(value, '$schema')) return { name, value, path: [] }
  const { $schema: _, ...rest } = value
  return { name, value: rest, path: [] }
}

/** Whether a key of a database file is not a resource: `$schema`, or a name that is ignored in folders too. */
export function isIgnoredKey(name: string): boolean {
  return name === '$schema' || name.startsWith('.') || name.startsWith('_')
}

function resourceValues(value: JsonRecord): Json[] {
  return Object.entries(value).flatMap(([name, one]) => (isIgnoredKey(name) ? [] : [one]))
}

function isCollection(value: Json): boolean {
  return Array.isArray(value) && value.every(isRecord)
}

function hasEmptySegment(name: string): boolean {
  return name.split('/').includes('')
}

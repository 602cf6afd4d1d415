import { type Json, type JsonRecord, toJson } from './json.ts'
import { wrongFixture } from './wrong-fixture.ts'

/** Fixture data that can change later, such as a plugin's. */
export interface FixtureSource<Data = Record<string, unknown>> {
  data: Data
  /** Calls back with everything that has changed; undefined for what is gone. Returns the end of it. */
  subscribe(listener: FixtureListener): () => void
}

/** Takes over fixture data that has changed; a mock tells what requests lost by it. */
export type FixtureListener = (
  changed: Record<string, unknown>,
  tell?: (conflicts: readonly Conflict[]) => void,
) => void

/** A record whose changes by requests gave way to the fixture's. */
export interface Conflict {
  collection: string
  /** Empty for a singleton. */
  id: string
}

/** The path of what gave way: `posts/1`, `profile`. */
export function pathOf({ collection, id }: Conflict): string {
  return id === '' ? collection : `${collection}/${id}`
}

/** Whether the fixtures are a source that can change. */
export function isSource(fixtures: object): fixtures is FixtureSource {
  return typeof (fixtures as Partial<FixtureSource>).subscribe === 'function' && 'data' in fixtures
}

/** A copy of a value as the JSON that a file would hold. @throws MockError when it can be none */
export function copyFixture(value: Json, name: string): Json {
  try {
    return JSON.parse(toJson(value)) as Json
  } catch (cause) {
    const [reason] = String(cause).split('\n', 1)
    throw wrongFixture(name, `it is no JSON (${reason})`, cause)
  }
}

/** The data by resource name; the paths of an `import.meta.glob` become names. */
export function toResources(
  fixtures: Record<string, unknown>,
  copy: (value: Json, name: string) => Json,
): Map<string, Json> {
  const keys = Object.keys(fixtures).filter((key) => key !== '$schema')
  // A promise or a map looks as if it were empty.
  if (keys.length === 0) copyFixture(fixtures as JsonRecord, 'fixtures')
  const toName = keys.some(isFile)
    ? nameOfFiles(keys)
    : (key: string) => key.replace(/^\/|\/$/g, '')
  const resources = new Map<string, Json>()
  for (const key of keys) {
    const name = toName(key)
    if (name === undefined) continue
    if (resources.has(name))
      throw wrongFixture(key, `there is another fixture for "${name}". Please keep one`)
    resources.set(name, copy(valueOf(key, fixtures[key]), name))
  }
  return resources
}

function isFile(key: string): boolean {
  return /\.(?:json|jsonc|json5|m?js)$/.test(key)
}

/** Makes names from paths, which lose everything up to the last `fixtures/`, else their common folder. */
function nameOfFiles(keys: readonly string[]): (key: string) => string | undefined {
  const [first = '', ...others] = keys
  let common = folderOf(first)
  while (!others.every((key) => key.startsWith(common))) common = folderOf(common.slice(0, -1))
  return (key) => {
    const own = /^(?:.*\/)?fixtures\/(.*)$/.exec(key)?.[1] ?? key.slice(common.length)
    const isIgnored = /(?:^|\/)[._]|\.schema\.json$/.test(own)
    return isIgnored ? undefined : own.replace(/\.\w+$/, '')
  }
}

/** The folder of a path, with the slash behind it; empty where it has none. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** The value of a fixture, which an eager glob without `import: 'default'` wraps into a module. */
function valueOf(name: string, value: unknown): Json {
  const isModule = {}.toString.call(value) === '[object Module]'
  const data = isModule ? (value as Record<string, unknown>)['default'] : value
  if (data !== undefined && typeof data !== 'function') return data as Json
  throw wrongFixture(
    name,
    data
      ? 'it is a function; please load an import.meta.glob with { eager: true }'
      : 'it is undefined',
  )
}

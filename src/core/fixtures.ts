import { MockError } from './errors.ts'
import { isRecord, type Json } from './json.ts'

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

/** Whether the fixtures are a source that can change. */
export function isSource(fixtures: object): fixtures is FixtureSource {
  return 'subscribe' in fixtures && typeof fixtures.subscribe === 'function' && 'data' in fixtures
}

/** A copy of the data as the JSON that a file would hold. @throws MockError when it can be none */
export function copyFixtures(resources: ReadonlyMap<string, Json>): Map<string, Json> {
  const copies = new Map<string, Json>()
  for (const [name, value] of resources) {
    try {
      copies.set(name, JSON.parse(JSON.stringify(value)) as Json)
    } catch (cause) {
      const [reason] = String(cause).split('\n', 1)
      throw new MockError(`Failed to load "${name}": it is no JSON (${reason}).`, {
        code: 'FIXTURES_INVALID',
        cause,
      })
    }
  }
  return copies
}

/** The data by resource name; the paths of an `import.meta.glob` become names. */
export function toResources(fixtures: Record<string, unknown>): Map<string, Json> {
  const keys = Object.keys(fixtures).filter((key) => key !== '$schema')
  const toName = keys.some(isFile)
    ? nameOfFiles(keys)
    : (key: string) => key.replace(/^\/|\/$/g, '')
  const resources = new Map<string, Json>()
  for (const key of keys) {
    const name = toName(key)
    if (name === undefined) continue
    if (resources.has(name)) {
      throw new MockError(
        `Failed to load "${key}": there is another fixture for "${name}". Please keep one.`,
        {
          code: 'FIXTURES_INVALID',
        },
      )
    }
    resources.set(name, toJson(key, fixtures[key]))
  }
  return resources
}

function isFile(key: string): boolean {
  return /\.(?:json|jsonc|json5|m?js)$/.test(key)
}

/** Makes names from paths, which lose everything up to the last `fixtures/`, else their common folder. */
function nameOfFiles(keys: string[]): (key: string) => string | undefined {
  const folders = keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1))
  const common = folders.reduce((left, right) => {
    let end = 0
    while (end < left.length && left[end] === right[end]) end++
    return left.slice(0, left.lastIndexOf('/', end - 1) + 1)
  })
  return (key) => {
    const at = key.lastIndexOf('/fixtures/')
    const from =
      at >= 0 ? at + '/fixtures/'.length : key.startsWith('fixtures/') ? 9 : common.length
    const segments = key
      .slice(from)
      .replace(/\.\w+$/, '')
      .split('/')
    if (segments.some((segment) => /^[._]/.test(segment)) || key.endsWith('.schema.json'))
      return undefined
    return segments.join('/')
  }
}

/** The value of a fixture, which an eager glob without `import: 'default'` wraps into a module. */
function toJson(name: string, value: unknown): Json {
  const isModule = isRecord(value) && Object.prototype.toString.call(value) === '[object Module]'
  const data = isModule ? value['default'] : value
  if (data !== undefined && typeof data !== 'function') return data as Json
  throw new MockError(
    `Failed to load "${name}": it is ${typeof data === 'function' ? 'a function; please load an import.meta.glob with { eager: true }' : 'undefined'}.`,
    { code: 'FIXTURES_INVALID' },
  )
}

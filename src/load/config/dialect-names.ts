import type { Dialect } from '../../core/dialects/contract/dialect.ts'
import { rest } from '../../core/dialects/rest/rest.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { DialectName } from '../../core/mock/file-config.ts'
import { suggest } from '../../core/errors/nearest.ts'

/**
 * The built-in dialects, the URL and response conventions of a REST API, by the name that the option
 * `dialect` takes. A dialect other than `rest` is imported when it is first loaded.
 */
const dialects: Readonly<Record<DialectName, () => Promise<Dialect>>> = {
  rest: () => Promise.resolve(rest),
  'json-server-0': async () =>
    (await import('../../core/dialects/json-server-0/json-server-0.ts')).jsonServer0,
  'json-server-1': async () =>
    (await import('../../core/dialects/json-server-1/json-server-1.ts')).jsonServer1,
  'simple-rest': async () =>
    (await import('../../core/dialects/simple-rest/simple-rest.ts')).simpleRest,
}

/** The names that {@link loadDialect} takes. */
export const dialectNames: readonly string[] = Object.keys(dialects)

/** Whether the package has a dialect of that name. */
export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name)
}

/** The dialect of that name. @throws MockError that suggests the nearest name */
export async function loadDialect(name: string): Promise<Dialect> {
  if (isDialectName(name)) return dialects[name]()
  const known = suggest(name, dialectNames)
  throw new MockError(`Failed to find the dialect "${name}". ${known}`, { code: 'CONFIG_INVALID' })
}

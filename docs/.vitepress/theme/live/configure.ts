import type { MockConfig } from 'fixtura'
import { auth, delay, faults, fields, idempotency, limit } from 'fixtura/behaviours'
import * as dialects from 'fixtura/dialects'

type Behaviour = NonNullable<MockConfig['use']>[number]

/** A behaviour that the playground can switch on: its line in `use`, and the behaviour for these collections. */
interface Switch {
  label: string
  code(collections: readonly string[]): string
  create(collections: readonly string[]): Behaviour
  /** Whether the fixtures have what the behaviour needs. @default always */
  isPossible?(collections: readonly string[]): boolean
}

/** Each collection with the same options. */
const forEach = <Value>(names: readonly string[], value: Value): Record<string, Value> =>
  Object.fromEntries(names.map((name) => [name, value]))

/** The behaviours of the playground, by name. */
export const switches: Readonly<Record<string, Switch>> = {
  delay: {
    label: 'Slow: 200 to 800 ms',
    code: () => `delay('200-800')`,
    create: () => delay('200-800'),
  },
  faults: {
    label: 'Flaky: some requests fail',
    code: () => `faults({ profile: 'flaky' })`,
    create: () => faults({ profile: 'flaky' }),
  },
  limit: {
    label: 'At most 5 requests a minute',
    code: () => `limit({ requests: 5, per: '1m' })`,
    create: () => limit({ requests: 5, per: '1m' }),
  },
  fields: {
    label: 'createdAt and updatedAt',
    code: (names) =>
      `fields({ ${names.map((name) => `${toKey(name)}: { timestamps: true }`).join(', ')} })`,
    create: (names) => fields(forEach(names, { timestamps: true })),
  },
  auth: {
    label: 'Writes need a login',
    code: () => `auth({ protect: ['POST *', 'PUT *', 'PATCH *', 'DELETE *'] })`,
    create: () => auth({ protect: ['POST *', 'PUT *', 'PATCH *', 'DELETE *'] }),
    isPossible: (names) => names.includes('users'),
  },
  idempotency: {
    label: 'Idempotency keys',
    code: () => 'idempotency()',
    create: () => idempotency(),
  },
}

function toKey(name: string): string {
  return /^[\w$]+$/.test(name) ? name : JSON.stringify(name)
}

/** The dialects of the playground, by the name that the configuration has. */
export const dialectsByName: Readonly<Record<string, MockConfig['dialect']>> = {
  rest: undefined,
  'json-server-0': dialects.jsonServer0,
  'json-server-1': dialects.jsonServer1,
  'simple-rest': dialects.simpleRest,
  'json-api': dialects.jsonApi,
  laravel: dialects.laravel,
  'django-rest-framework': dialects.djangoRestFramework,
  'spring-data-rest': dialects.springDataRest,
  'nestjsx-crud': dialects.nestjsxCrud,
  strapi: dialects.strapi,
  directus: dialects.directus,
  pocketbase: dialects.pocketbase,
}

/** The configuration of a mock with these behaviours and this dialect. */
export function toConfig(
  use: readonly string[],
  dialect: string,
  collections: readonly string[],
): MockConfig {
  const chosen = dialectsByName[dialect]
  return {
    use: possible(use, collections).map((one) => one.create(collections)),
    ...(chosen && { dialect: chosen }),
  }
}

/** The same configuration as a file, `mock.config.mjs`. */
export function toConfigFile(
  use: readonly string[],
  dialect: string,
  collections: readonly string[],
): string {
  const names = use.filter((name) => switches[name]?.isPossible?.(collections) ?? true)
  const lines = possible(use, collections).map((one) => `    ${one.code(collections)},`)
  return [
    `import { defineConfig } from 'fixtura'`,
    ...(names.length > 0 ? [`import { ${names.join(', ')} } from 'fixtura/behaviours'`] : []),
    '',
    'export default defineConfig({',
    ...(dialect === 'rest' ? [] : [`  dialect: '${dialect}',`]),
    ...(lines.length > 0 ? ['  use: [', ...lines, '  ],'] : []),
    '})',
  ].join('\n')
}

function possible(use: readonly string[], collections: readonly string[]): Switch[] {
  return use.flatMap((name) => {
    const one = switches[name]
    return one && (one.isPossible?.(collections) ?? true) ? [one] : []
  })
}

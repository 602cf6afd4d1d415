import type { Dialect } from '../../core/dialects/contract/dialect.ts'
import { rest } from '../../core/dialects/rest/rest.ts'
import { configError } from '../../core/errors/mock-error.ts'
import type { DialectName } from '../../core/mock/file-config.ts'
import { suggest } from '../../core/errors/nearest.ts'
import type { PresetName, RestFileOptions } from '../../core/dialects/rest-names/options.ts'

/** The presets of `rest` by name, each imported when it is first loaded. */
const presets: Readonly<Record<PresetName, () => Promise<Dialect>>> = {
  laravel: async () => (await import('../../core/dialects/rest-names/presets/laravel.ts')).laravel,
  'django-rest-framework': async () =>
    (await import('../../core/dialects/rest-names/presets/django-rest-framework.ts'))
      .djangoRestFramework,
  'spring-data-rest': async () =>
    (await import('../../core/dialects/rest-names/presets/spring-data-rest.ts')).springDataRest,
  'nestjsx-crud': async () =>
    (await import('../../core/dialects/rest-names/presets/nestjsx-crud.ts')).nestjsxCrud,
  directus: async () =>
    (await import('../../core/dialects/rest-names/presets/directus.ts')).directus,
  pocketbase: async () =>
    (await import('../../core/dialects/rest-names/presets/pocketbase.ts')).pocketbase,
  strapi: async () => (await import('../../core/dialects/rest-names/presets/strapi.ts')).strapi,
}

/** The dialects by the name of the option `dialect`; one other than `rest` is imported when it is loaded. */
const dialects: Readonly<Record<DialectName, () => Promise<Dialect>>> = {
  rest: () => Promise.resolve(rest),
  'json-api': async () => (await import('../../core/dialects/json-api/json-api.ts')).jsonApi,
  'json-server-0': async () =>
    (await import('../../core/dialects/json-server-0/json-server-0.ts')).jsonServer0,
  'json-server-1': async () =>
    (await import('../../core/dialects/json-server-1/json-server-1.ts')).jsonServer1,
  'json-server-1-beta': async () =>
    (await import('../../core/dialects/json-server-1/json-server-1-beta.ts')).jsonServer1Beta,
  'simple-rest': async () =>
    (await import('../../core/dialects/simple-rest/simple-rest.ts')).simpleRest,
  supabase: async () => (await import('../../core/supabase/supabase.ts')).supabase,
  ...presets,
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
  throw configError(`Failed to find the dialect "${name}". ${known}`)
}

/** Whether `rest` has a preset of that name. */
export function isPresetName(name: unknown): name is PresetName {
  return typeof name === 'string' && Object.hasOwn(presets, name)
}

/** Creates a configured dialect of names. @throws MockError for wrong options and an unknown preset */
export async function createNamed({ preset, ...options }: RestFileOptions): Promise<Dialect> {
  if (preset !== undefined && !isPresetName(preset)) {
    const known = suggest(String(preset), Object.keys(presets))
    const reason = `there is no preset ${JSON.stringify(preset)}. ${known}`
    throw configError(`Failed to read the options of "rest": ${reason}`)
  }
  const { createRest } = await import('../../core/dialects/rest-names/rest-names.ts')
  return createRest({ ...options, ...(preset && { preset: await loadDialect(preset) }) })
}

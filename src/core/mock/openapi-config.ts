import type { OpenApiSource } from '../dialects/contract/openapi-source.ts'
import { configError } from '../errors/mock-error.ts'
import type { IdOption } from '../fixtures/id-field.ts'
import type { Json } from '../json/json.ts'
import type { MockConfig } from './config.ts'

/** Adds the dialect and the ids of a document. @throws MockError for another dialect */
export function withOpenApi(
  { dialect, id, ...config }: MockConfig,
  openapi: OpenApiSource,
): MockConfig {
  if (dialect) {
    throw configError(
      'Failed to read the configuration: "dialect" has no effect beside "openapi". Please remove one of them.',
    )
  }
  return { ...config, dialect: openapi.dialect, id: toIdOption(id, openapi) ?? 'id' }
}

/** Adds the id fields of a document to the option `id`, which wins. */
export function toIdOption(
  id: IdOption | undefined,
  openapi: OpenApiSource | undefined,
): IdOption | undefined {
  if (!openapi || typeof id === 'string') return id
  return { ...openapi.ids, ...id }
}

/** Adds the data of the resources that have no fixture. */
export function withData(
  given: ReadonlyMap<string, Json>,
  openapi: OpenApiSource,
): ReadonlyMap<string, Json> {
  return new Map([...given, ...Object.entries(openapi.createData(Object.fromEntries(given)))])
}

import type { Controlled } from '../http/contract/behaviour.ts'
import type { Shape } from '../shape/shapes.ts'
import type { OpenApiDocument } from '../types/openapi.ts'

/** The options of {@link toOpenApi}. */
export interface OpenApiOptions {
  /** The title of the API. @default 'Fixtura' */
  title?: string
  /** The version of the document. @default '1.0.0' */
  version?: string
  /** The URL of the server, with the base. @default the base, relative to the URL of the document */
  server?: string
}

/**
 * Describes a mock as an OpenAPI 3.1 document: its routes, parameters, bodies, statuses, headers and errors
 * with its current configuration. `shapes` are the shapes of its fixtures.
 * @example toOpenApi(mock, createFixtureShapes(mock)())
 */
export function toOpenApi(
  mock: Controlled,
  shapes: readonly Shape[],
  { title = 'Fixtura', version = '1.0.0', server = mock.service.base || '/' }: OpenApiOptions = {},
): OpenApiDocument {
  const paths = mock.routes.map(({ path }) => [path.replaceAll(/:(\w+)/g, '{$1}'), {}] as const)
  return {
    openapi: '3.1.1',
    info: { title, version },
    servers: [{ url: server }],
    tags: [],
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(shapes.map(({ name, schema }) => [name, schema])) },
  }
}

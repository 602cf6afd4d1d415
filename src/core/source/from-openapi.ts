import {
  type Check,
  checkOptions,
  isCountUpTo,
  isEither,
  isMapOf,
  isText,
} from '../errors/check.ts'
import type { OpenApiSource } from '../dialects/contract/openapi-source.ts'
import type { Documents } from '../json/documents.ts'
import type { JsonRecord } from '../json/json.ts'
import { configError } from '../errors/mock-error.ts'
import { bindDocument } from './bind.ts'
import { readDocument } from './document.ts'
import { createDraw } from '../generate/draw-schema.ts'
import { createEngine } from './engine.ts'
import { describeBindings } from './list-bindings.ts'
import { createOpenApiDialect } from './openapi-dialect.ts'
import type { Tools } from './project.ts'
import { createSeedData } from './seed-data.ts'

/**
 * Makes an OpenAPI document (2.0, 3.0, 3.1 or 3.2) the source of a mock: its paths become collections and singletons
 * with state, in the envelopes and with the parameters, statuses and ids of the document. Data comes from fixtures,
 * then from the examples of the document, then from its schemas.
 * @throws MockError for a value that is no OpenAPI document, and for a wrong option
 * @example
 * const mock = createMock({ openapi: fromOpenApi(document, { count: 5 }) })
 * const response = await mock.fetch('/v1/customers')
 */
export function fromOpenApi(document: object, options: OpenApiOptions = {}): OpenApiSource {
  checkOptions('the options of fromOpenApi', options, optionChecks)
  return createOpenApiSource(new Map([['', document as JsonRecord]]), '', options)
}

/** Makes the document at a URI the source of a mock; the others are files that its `$ref` lead to. @throws MockError */
export function createOpenApiSource(
  documents: Documents,
  uri: string,
  { bind, count = 20, seed = 1 }: OpenApiOptions,
): OpenApiSource {
  const source = readDocument(documents, uri)
  const bound = bindDocument(source, bind)
  const { flatten } = bound
  const tools: Tools = { flatten, draw: createDraw(flatten), seed: String(seed) }
  const engine = createEngine(source, flatten)
  const dialect = createOpenApiDialect(bound, engine, tools)
  const ids = Object.fromEntries(
    [...bound.collections.values()]
      .filter(({ kind, idField }) => kind !== 'singleton' && idField !== 'id')
      .map(({ name, idField }) => [name, idField]),
  )
  const createData = (given: Readonly<Record<string, unknown>>): JsonRecord =>
    createSeedData(bound, given, count, tools, engine)
  return {
    configure(config) {
      if (config.dialect) {
        throw configError(
          'Failed to read the configuration: "dialect" has no effect beside "openapi". Please remove one of them.',
        )
      }
      const { id } = config
      return { ...config, dialect, id: typeof id === 'string' ? id : { ...ids, ...id } }
    },
    complete: (given) =>
      new Map([...given, ...Object.entries(createData(Object.fromEntries(given)))]),
    operations: describeBindings(bound),
    problems: source.problems,
    createData,
  }
}

/** The options of {@link fromOpenApi}. */
export interface OpenApiOptions {
  /** Corrections by operation: `{ 'GET /v1/customers': 'customers.list' }`; also `example` and `none`. */
  bind?: Readonly<Record<string, string>>
  /** The number of records of a collection without fixture. @default 20 */
  count?: number
  /** The seed of generated values: the same seed gives the same values. @default 1 */
  seed?: number | string
}

const optionChecks: Readonly<Record<keyof OpenApiOptions, Check>> = {
  bind: isMapOf(isText),
  count: isCountUpTo(100_000),
  seed: isEither(isText, [Number.isFinite, 'a number']),
}

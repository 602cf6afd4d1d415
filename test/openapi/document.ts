import { internalsOf } from '../../src/core/http/contract/internals.ts'
import { isRecord } from '../../src/core/json/json.ts'
import { createFixtureShapes } from '../../src/core/mock/shapes.ts'
import { type OpenApiOptions, toOpenApi } from '../../src/core/openapi/to-openapi.ts'
import type { JsonSchema } from '../../src/core/types/json-schema.ts'
import type {
  OpenApiDocument,
  Operation,
  OperationMethod,
  Parameter,
  Response,
} from '../../src/core/types/openapi.ts'
import type { Mock } from '../../src/index.ts'

/** The document of a mock, as JSON carries it. */
export function documentOf(mock: Mock, options?: OpenApiOptions): OpenApiDocument {
  const document = toOpenApi(internalsOf(mock), createFixtureShapes(internalsOf(mock))(), options)
  return JSON.parse(JSON.stringify(document)) as OpenApiDocument
}

/** An operation with its place. */
export interface PlacedOperation {
  path: string
  method: OperationMethod
  operation: Operation
}

/** All operations of a document. */
export function operationsOf({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      isRecord(operation) && 'operationId' in operation
        ? [
            {
              path,
              method: method as OperationMethod,
              operation: operation as unknown as Operation,
            },
          ]
        : [],
    ),
  )
}

/** Follows a reference within a document. */
export function resolve<T extends object>(
  document: OpenApiDocument,
  value: T | { $ref: string },
): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  let found: unknown = document
  for (const step of value.$ref.slice(2).split('/')) {
    found = isRecord(found) ? found[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  }
  if (found === undefined) throw new Error(`Failed to resolve ${value.$ref}`)
  return resolve(document, found as T)
}

/** The parameters of an operation. */
export function parametersOf(
  document: OpenApiDocument,
  operation: Operation,
): readonly Parameter[] {
  const { parameters = [] } = operation
  const found =
    resolved.get(operation) ?? parameters.map((one) => resolve<Parameter>(document, one))
  resolved.set(operation, found)
  return found
}

const resolved = new WeakMap<Operation, readonly Parameter[]>()

/** The response of an operation with a status; undefined where the document has none. */
export function responseOf(
  document: OpenApiDocument,
  { responses }: Operation,
  status: number,
): Response | undefined {
  const found = responses[status] ?? responses['default']
  return found && resolve<Response>(document, found)
}

export type { JsonSchema }

import type { JsonRecord } from '../../json/json.ts'
import type { Dialect } from './dialect.ts'

/** An OpenAPI document as the source of a mock, for the option `openapi` of `createMock`. */
export interface OpenApiSource {
  readonly dialect: Dialect
  /** The id field of collections whose records have another than `id`. */
  readonly ids: Readonly<Record<string, string>>
  /** What each operation was taken for. */
  readonly operations: readonly BoundOperation[]
  /** The parts of the document that cannot be served, by their places. */
  readonly problems: readonly { readonly place: string; readonly reason: string }[]
  /** Returns the data of the resources that are not among those given. */
  createData(given: Readonly<Record<string, unknown>>): JsonRecord
}

/** What an operation of the document was taken for. */
export interface BoundOperation {
  method: string
  /** The template: `/v1/customers/{customer}`. */
  path: string
  action: OperationAction
  /** The name of the collection or singleton; missing for an example. */
  collection?: string
  /** The keys that lead to the records in the body of the response: `data`. */
  envelope?: string
  /** Whether the document or the option `bind` says so. */
  isCorrected: boolean
  /** The place in the document: `#/paths/~1v1~1customers/get`. */
  place: string
}

/** What an operation does with the data. */
export type OperationAction =
  | 'list'
  | 'read'
  | 'create'
  | 'replace'
  | 'update'
  | 'remove'
  | 'example'
  | 'none'

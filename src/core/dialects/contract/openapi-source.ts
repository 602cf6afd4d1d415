import type { IdOption } from '../../fixtures/id-field.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Dialect } from './dialect.ts'

/** An OpenAPI document as the source of a mock, for the option `openapi` of `createMock`. */
export interface OpenApiSource {
  /** Adds the dialect and the id fields of the document to a configuration. @throws MockError for another dialect */
  configure<Config extends SourceConfig>(config: Config): Config
  /** Adds the data of the resources that have no fixture. */
  complete(given: ReadonlyMap<string, Json>): ReadonlyMap<string, Json>
  /** What each operation was taken for. */
  readonly operations: readonly BoundOperation[]
  /** The parts of the document that cannot be served, by their places. */
  readonly problems: readonly { readonly place: string; readonly reason: string }[]
  /** The files that the document was read from; missing for an object. */
  readonly files?: readonly string[]
  /** Returns the data of the resources that are not among those given. */
  createData(given: Readonly<Record<string, unknown>>): JsonRecord
}

/** The options that a document adds to. */
export interface SourceConfig {
  dialect?: Dialect
  id?: IdOption
  use?: readonly object[]
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

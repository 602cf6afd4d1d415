// The entry `fixtura/openapi`: an OpenAPI document as the source of a mock.
export { fromOpenApi, type OpenApiOptions } from './core/source/from-openapi.ts'
export type {
  BoundOperation,
  OpenApiSource,
  OperationAction,
} from './core/dialects/contract/openapi-source.ts'

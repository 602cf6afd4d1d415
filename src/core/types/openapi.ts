import type { JsonSchema } from './json-schema.ts'

/** An OpenAPI 3.1 document, reduced to the parts that `toOpenApi` writes. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    description?: string
    license?: { name: string; identifier: string }
    [extension: `x-${string}`]: unknown
  }
  servers: { url: string; description?: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, PathItem>
  components: Components
  /** The security that every operation needs unless the operation says otherwise. */
  security?: SecurityRequirement[]
}

/** The operations of a path, by their methods in lower case. */
export type PathItem = Partial<Record<OperationMethod, Operation>> & { parameters?: Parameter[] }

/** A method that a path item of OpenAPI 3.1 can have, in lower case. */
export type OperationMethod = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options'

/** A method on a path: what a request can contain, and every response. */
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  parameters?: (Parameter | Reference)[]
  requestBody?: RequestBody
  /** The responses by status. */
  responses: Record<string, Response | Reference>
  security?: SecurityRequirement[]
  deprecated?: boolean
  [extension: `x-${string}`]: unknown
}

/** A reference to a component: `#/components/schemas/Post`. */
export interface Reference {
  $ref: string
}

/** A parameter in the path, the query or a header. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  description?: string
  required?: boolean
  deprecated?: boolean
  schema: JsonSchema
  style?: 'form' | 'deepObject' | 'simple'
  explode?: boolean
  example?: unknown
}

/** The body of a request, by media type. */
export interface RequestBody {
  description?: string
  required?: boolean
  content: Record<string, MediaType>
}

/** The body of one media type. */
export interface MediaType {
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

/** A response: its headers, and its body by media type. */
export interface Response {
  description: string
  headers?: Record<string, Header | Reference>
  content?: Record<string, MediaType>
}

/** A header of a response. */
export interface Header {
  description?: string
  required?: boolean
  schema: JsonSchema
}

/** The names of security schemes that a request needs together, with their scopes. */
export type SecurityRequirement = Record<string, string[]>

/** A security scheme: how a request says who sends it. */
export type SecurityScheme = { description?: string } & (
  | { type: 'http'; scheme: string; bearerFormat?: string }
  | { type: 'openIdConnect'; openIdConnectUrl: string }
  | { type: 'apiKey'; in: 'header' | 'query' | 'cookie'; name: string }
)

/** The parts of a document that its operations refer to by name. */
export interface Components {
  schemas: Record<string, JsonSchema>
  parameters?: Record<string, Parameter>
  responses?: Record<string, Response>
  headers?: Record<string, Header>
  securitySchemes?: Record<string, SecurityScheme>
}

import type { DescribedResponse, DescribedRoute } from '../../dialects/contract/description.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { Header, Parameter, SecurityRequirement, SecurityScheme } from '../../types/openapi.ts'
import type { RecordDescription } from '../../types/record-description.ts'

/** What a behaviour changes in the API of a mock, for types and the OpenAPI document. */
export interface Description {
  /** The records of resources, by resource name. */
  records?: Readonly<Record<string, RecordDescription>>
  /** Notes on all operations, for the reader of an API document: sentences in Markdown. */
  notes?: readonly string[]
  /** The ways in which requests can authenticate, by name. */
  securitySchemes?: Readonly<Record<string, SecurityScheme>>
  /** Describes what the behaviour adds to an operation. */
  operation?(operation: OperationFacts): OperationDescription | undefined
  /** The operations of its routes. `schemaOf` gives the schema of a resource's records, or of a field of them. */
  routes?(schemaOf: (resource: string, field?: string) => JsonSchema): readonly DescribedRoute[]
  /** The versions of the API. */
  versions?: readonly VersionFacts[]
}

/** An operation of the API (a method of a path), about which a behaviour is asked. */
export interface OperationFacts {
  /** The method in upper case. */
  method: string
  /** The path below the base, without the version: `/posts/:id`. */
  path: string
  /** The resource that the path names; undefined for a route of a behaviour or the dialect. */
  resource?: string | undefined
  kind: 'collection' | 'member' | 'singleton' | 'document' | 'custom'
  /** The version of the API whose operations have paths of their own. */
  version?: string | undefined
}

/** The additions of a behaviour to an operation. */
export interface OperationDescription {
  /** Sentences for the description, in Markdown. */
  notes?: readonly string[]
  /** The ways to authenticate, any of which a request can use; an empty requirement allows a request without any. */
  security?: readonly SecurityRequirement[]
  parameters?: readonly Parameter[]
  /** Headers of every response of the operation. */
  headers?: Readonly<Record<string, Header>>
  /** The statuses of errors, with the reasons. */
  errors?: Readonly<Record<number, string>>
  /** Headers of responses by status. */
  headersOf?: Readonly<Record<number, Readonly<Record<string, Header>>>>
  /** Responses besides those of the operation; of a status that the operation has, the media type is added. */
  responses?: Readonly<Record<number, DescribedResponse>>
  /** The reason for an error of any status that requests can ask for. */
  anyError?: string
  isDeprecated?: boolean
  /** Whether the behaviour can give any response, so that no response is described. */
  isOpen?: boolean
}

/** A version of the API. */
export interface VersionFacts {
  name: string
  /** The path of its operations, below the base: `/v1`; undefined if a header or media type selects the version. */
  prefix?: string
  /** Whether requests that name no version get this version. */
  isDefault: boolean
  /** The names of renamed fields, by resource: `{ posts: { title: 'headline' } }`. */
  fields: Readonly<Record<string, Readonly<Record<string, string>>>>
}

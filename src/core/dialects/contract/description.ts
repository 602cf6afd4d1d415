import type { JsonSchema } from '../../types/json-schema.ts'
import type { Header, Parameter } from '../../types/openapi.ts'

/** Describes the operations of a dialect for OpenAPI: parameters, bodies, headers and statuses. */
export interface DialectDescription {
  /** Notes on all operations, for the reader of the document, in Markdown. */
  text: string
  /** The schemas that responses refer to, by name: `{ Problem: … }`. */
  schemas?: Readonly<Record<string, JsonSchema>>
  /** The bodies that an error response can have. */
  error(status: number): readonly DescribedBody[]
  /** Converts the status of an error to the status on the wire. @default the status of the error */
  statusOf?(status: number): number
  /** Converts the name of a field, at any depth, to its name on the wire. @default the name in the fixtures */
  fieldName?(field: string): string
  /** Describes an operation; undefined if the dialect has no such operation. */
  operation(operation: DescribedOperation): DialectOperation | undefined
  /** The methods that resources have besides those of the pipeline, for a dialect with `serve`. */
  methods?: Readonly<Partial<Record<DescribedOperation['kind'], readonly string[]>>>
  /** The operations of the routes that the dialect adds. */
  routes?(resources: readonly DescribedResource[]): DescribedRoute[]
  /** The fields that the dialect sets in stored records. */
  stores?: StoredFields
}

/** The fields that a dialect with `serve` sets if requests do not give them. */
export interface StoredFields {
  /** The ids of new records: as the store draws them, a number after the highest or a text, or a text. */
  ids: 'number or text' | 'text'
  /** Whether records can be without an id. */
  canLackId?: boolean
  /** The values of foreign keys besides those that requests give: the id of the parent as text, or null. */
  foreignKeys: 'text' | 'null'
}

/** The body of a response. */
export interface DescribedBody {
  /** @default 'application/json' */
  type?: string
  /** The schema of the body; undefined for a response without a body. */
  schema?: JsonSchema | undefined
}

/** An operation on a resource that a dialect is asked to describe. */
export interface DescribedOperation {
  /** HEAD is described as GET. */
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  kind: 'collection' | 'member' | 'singleton' | 'document'
  resource: DescribedResource
  /** The parent in a nested path: `posts` in `/posts/1/comments`. */
  parent?: string | undefined
  /** Whether to leave out parameters that change the shape of responses, such as those of fields and pages. */
  isPlain: boolean
}

/** A resource, and the schemas of what clients read and send, which are references. */
export interface DescribedResource {
  name: string
  kind: 'collection' | 'singleton' | 'document'
  /** The name of a record in a sentence: `post`. */
  singular: string
  idField: string
  /** A record of a collection as clients see it, or the value of another resource. */
  record: JsonSchema
  /** Like `record`, with the related records that a request embeds. */
  embedded: JsonSchema
  /** A value of a list of distinct values, which is a document in the envelope of lists. */
  items?: JsonSchema | undefined
  /** A record of which fields can be left out. */
  part: JsonSchema
  /** The body of a POST or a PUT. */
  input: JsonSchema
  /** The body of a PATCH as JSON, whose fields replace those of the record. */
  patch: JsonSchema
  /** The body of a PATCH as a merge patch (RFC 7396). */
  mergePatch: JsonSchema
  /** The fields of a form; undefined if the text of a form cannot be a record. */
  form?: JsonSchema | undefined
  /** The fields of a form in a PATCH. */
  formPatch?: JsonSchema | undefined
  /** The texts and files of a multipart form; undefined for records without files. */
  upload?: JsonSchema | undefined
  /** The texts and files of a multipart form in a PATCH. */
  uploadPatch?: JsonSchema | undefined
  /** The fields of records, for filters. */
  fields: Readonly<Record<string, JsonSchema>>
  /** The relations that can be embedded. */
  relations: readonly DescribedRelation[]
}

/** A relation that a request can embed. */
export interface DescribedRelation {
  name: string
  /** Whether the name stands for a list of children rather than a parent. */
  isMany: boolean
}

/** The description of an operation by a dialect. */
export interface DialectOperation {
  /** Sentences for the description, in Markdown. */
  notes?: readonly string[]
  parameters?: readonly Parameter[]
  /** The headers of success responses. */
  headers?: Readonly<Record<string, Header>>
  /** The schemas of the body of a request by media type, instead of those of records. */
  bodyTypes?: Readonly<Record<string, JsonSchema>>
  /** Returns the schema of a JSON body for the schema of its record. @default the schema of the record */
  body?(record: JsonSchema): JsonSchema
  /** The body of the success response, instead of the record. */
  result?: DescribedBody
  /** The status of the success response to a write. @default 201 for POST, otherwise 200 */
  status?: number
  /** The statuses of errors that the pipeline does not have, with the reasons. */
  errors?: Readonly<Record<number, string>>
  /** The statuses and bodies of an operation, for a dialect with `serve`; undefined for those of the pipeline. */
  whole?: {
    status: number
    body?: Readonly<Record<string, JsonSchema>>
    isBodyRequired?: boolean
    /** The statuses of errors, with the reasons. */
    errors: Readonly<Record<number, string>>
    /** Whether `If-None-Match` gives 304. */
    isConditional?: boolean
  }
}

/** An operation of a route that belongs to no resource. */
export interface DescribedRoute {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  /** The path below the base, with parameters: `/orders/:id/ship`. */
  path: string
  operationId: string
  summary: string
  notes?: readonly string[]
  /** @default the name of the behaviour or the dialect */
  tag?: string
  parameters?: readonly Parameter[]
  /** The body of requests by media type. */
  body?: Readonly<Record<string, JsonSchema>>
  isBodyRequired?: boolean
  /** The collection whose records requests send and, without `responses`, get, as at the path of the collection. */
  recordsOf?: string
  responses: Readonly<Record<number, DescribedResponse>>
  /** The statuses of errors, with the reasons. */
  errors?: Readonly<Record<number, string>>
}

/** A response of a route. */
export interface DescribedResponse extends DescribedBody {
  description: string
  headers?: Readonly<Record<string, Header>>
}

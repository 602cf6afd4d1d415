import type { SchemaObject } from '../core/types/json-schema.ts'
import type { Client } from '../remote/client.ts'
import type { RemoteMock } from '../remote/types.ts'

/** A tool of MCP, as a row: its name, the texts for a model, the JSON Schemas of its arguments, and its function. */
export interface Tool {
  name: string
  /** The name that clients display. */
  title: string
  description: string
  effect: Effect
  /** The JSON Schema of each argument. */
  input: Readonly<Record<string, SchemaObject>>
  /** The names of the arguments that have to be given. */
  required?: readonly string[]
  /** Resolves to the result for arguments that match the schema; rejects with a MockError. */
  run(controlled: Controllable, args: never): Promise<object>
}

/** `changes` overwrites or removes data: clients ask their user before they run such a tool. */
export type Effect = 'reads' | 'adds' | 'changes'

/** A running mock that tools control: its URL, the calls and requests of `connect`, and the schemas of the mock. */
export interface Controllable {
  url: string
  mock: RemoteMock
  /** Reads the JSON Schema of a resource; undefined if the mock has no such resource. */
  readSchema(name: string): Promise<SchemaObject | undefined>
  /** Sends a request to the control API, in the session and with the token. */
  send: Client['send']
}

/** The argument that names a resource. */
export const resourceInput: SchemaObject = {
  type: 'string',
  description: 'The name of a resource, as list_resources returns it: "posts", "v1/posts".',
}

/** The argument that identifies a record. */
export const idInput: SchemaObject = {
  type: ['string', 'number'],
  description: 'The id of a record. 1 and "1" find the same record.',
}

import type { Json } from '../json/json.ts'
import { type Place, toElement } from '../shape/place.ts'

/** A difference between the fixtures (`here`) and the other side (`there`), as `mock drift` reports it. */
export interface Difference {
  kind: DifferenceKind
  /** The resource; undefined for a difference that several resources share. */
  resource?: string
  /** Where the difference is: `posts.author.name`, `posts.tags[]`, or `GET /posts/:id` for a difference in responses. */
  path: string
  /** The place in a record; undefined for a difference in responses. */
  place?: Place
  /** The property of the fixtures: `integer`, `missing`. */
  here: string
  /** The property of the other side. */
  there: string
  /** A value of the other side, or of the fixtures if the other side lacks the field. */
  example?: Json
  /** Where the difference was seen: a request, or a place in a document. */
  seen: string
  /** The fields that have another name on the other side. */
  renames?: Rename[]
  /** The values of an enum that only the fixtures have, and those that only the other side has. */
  choices?: { gone: string[]; added: string[] }
}

/** A field, and its name on the other side. */
export interface Rename {
  place: Place
  to: string
}

/** The kinds of differences. */
export type DifferenceKind =
  | 'missing there'
  | 'missing here'
  | 'renamed'
  | 'optional'
  | 'type'
  | 'null'
  | 'format'
  | 'enum'
  | 'kind'
  | 'status'
  | 'list'
  | 'page size'

/** Returns the path of a place in the records of a resource: `posts.items[].price`. */
export function toPath(resource: string, place: Place): string {
  return place.reduce(
    (path, step) => (step === toElement ? `${path}[]` : `${path}.${step}`),
    resource,
  )
}

/** Describes a difference without its path: `string there, integer here, such as "12"`. */
export function describeDifference({ kind, here, there, example }: Difference): string {
  const such = example === undefined || kind === 'null' ? '' : `, such as ${toExample(example)}`
  switch (kind) {
    case 'missing there':
      return `missing there, ${here} here${such}`
    case 'missing here':
      return `missing here, ${there} there${such}`
    case 'renamed':
      return `named ${there} there, ${here} here`
    case 'optional':
    case 'null':
    case 'status':
    case 'list':
    case 'page size':
    case 'kind':
      return `${there} there, ${here} here`
    default:
      return `${there} there, ${here} here${such}`
  }
}

const maxExample = 40

function toExample(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxExample ? `${text.slice(0, maxExample - 1)}…` : text
}

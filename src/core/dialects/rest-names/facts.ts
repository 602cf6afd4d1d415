// The facts that templates can tell, as plain data: a recorded response gives them as well as the mock.
import type { JsonRecord } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import type { Paging, RenderContext } from '../contract/dialect.ts'
import type { PageLinks } from '../rest/paging.ts'

/** Returns the facts about a request that all templates know. */
export function toRequestFacts({
  target,
  method,
  origin,
  path,
  params,
  toClientUrl = (url) => url,
  service: { base = '', resources } = { base: '' },
}: RenderContext): RequestFacts {
  // A path that names no resource, such as that of an action, is below a resource, or its last segment may be a name.
  const owner = target ? undefined : ownerOf(path.slice(base.length), resources?.names() ?? [])
  const named = owner ?? path.split('/').findLast((segment) => /^[A-Za-z][\w-]*$/.test(segment))
  return {
    resource: target?.resource.name ?? named ?? '',
    method,
    origin,
    path: toClientUrl(path),
    params,
  }
}

function ownerOf(path: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => path.startsWith(`/${name}/`))
    .toSorted((a, b) => b.length - a.length)[0]
}

/** The facts about a request that all templates know. */
export interface RequestFacts {
  /** The name of the resource, with its folders: `blog/posts`. */
  resource: string
  method: string
  /** Scheme and authority. */
  origin: string
  /** The path of the URL, percent-encoded. */
  path: string
  params: Params
}

/** The facts about a list, from which each variable of a list is computed. */
export interface PageFacts extends RequestFacts, PageLinks {
  /** The records as `item` makes them. */
  items: readonly unknown[]
  /** The number of records on this page. */
  count: number
  /** The number of records on all pages. */
  total: number
  /** Counts the records without filters; missing in recordings. */
  all?: (() => number) | undefined
  /** Whether the request asks for the total. */
  isCounted: boolean
  /** How the request asks for the page; undefined for a list without pages. */
  style: Paging['style'] | undefined
  /** The index of the first record, from 0. */
  offset: number
  /** The most records of a page; undefined for a list without pages. */
  limit: number | undefined
  /** The number of the first page: 0 or 1. */
  firstNumber: number
}

/** The facts about a record. */
export interface RecordFacts extends RequestFacts {
  /** The record, or what `item` makes of it. */
  record: unknown
  /** The fields of the record on the wire. */
  fields: JsonRecord
  idField: string
  /** The URL of all records of the resource; undefined if the path names no resource. */
  collectionUrl: string | undefined
  /** The URL of a new record. */
  location?: string | undefined
}

/** The facts about an error. */
export interface ErrorFacts extends RequestFacts {
  /** The status on the wire. */
  status: number
  code: string
  /** The text of the mock, and the text that the options give to the error. */
  reason: string
  detail: string
  /** The header `Allow` of the response. */
  allowed: string | null
  /** The media type of the request. */
  type: string | null
  /** The name of the resource whose record is missing, or of the resource of the path. */
  missing: string
  faults: readonly Fault[]
  /** The faults as the option `fault` makes them. */
  faultBodies: readonly unknown[]
}

/** A fault of a field: the keys that lead to the field as the wire spells them, and a message. */
export interface Fault {
  path: readonly string[]
  message: string
  /** The name of the fault by the option `codes`, or its keyword. */
  code?: string | undefined
}

/** The facts about one fault of a field. */
export interface FaultFacts extends RequestFacts {
  fault: Fault
  /** The value of the field in the body of the request. */
  value: unknown
}

/** The facts about the reason of a fault. */
export interface ReasonFacts {
  fault: Pick<Fault, 'path'>
  /** The text of the mock. */
  reason: string
  /** The value of the keyword that the field fails. */
  limit: string
  /** The text that `*` stands for. */
  wild: string
}

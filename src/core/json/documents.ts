import { isRecord, type Json, ownValue } from './json.ts'
import { resolveLocal } from './local-reference.ts'
import { toToken } from './pointer.ts'
import { resolveUri, splitFragment } from '../url/uri.ts'

/** Documents by URI: an OpenAPI document, and the files that its references (`$ref`) lead to. */
export type Documents = ReadonlyMap<string, Json>

/** Returns a document by URI. */
export interface DocumentSource {
  get(uri: string): Json | undefined
}

/** A part of a document, such as a schema, and its URI: `openapi.yaml#/components/schemas/Post`. */
export interface Part {
  value: unknown
  uri: string
}

/** Finds the part that a reference (`$ref`) in a document leads to; undefined for an unknown document. */
export function resolve(
  documents: DocumentSource,
  reference: string,
  from: string,
): Part | undefined {
  const [base] = splitFragment(from)
  const isLocal = reference.startsWith('#')
  const [file, fragment] = splitFragment(isLocal ? base + reference : resolveUri(reference, base))
  const value = resolveLocal(`#${fragment}`, documents.get(file))
  return value === undefined ? undefined : { value, uri: `${file}#${fragment}` }
}

/** Follows the `$ref` of a part until a part without `$ref`. */
export function follow(documents: DocumentSource, part: Part): Part | undefined {
  let found: Part | undefined = part
  for (let hops = 0; hops < maxHops && found; hops++) {
    const reference: unknown = isRecord(found.value) ? found.value['$ref'] : undefined
    if (typeof reference !== 'string') return found
    found = resolve(documents, reference, found.uri)
  }
  return undefined
}

const maxHops = 20

/** Returns the part below a key of a part. */
export function inside({ value, uri }: Part, key: string | number): Part {
  const container = typeof value === 'object' && value !== null ? value : {}
  return {
    value: ownValue(container as Record<string, unknown>, String(key)),
    uri: `${uri.includes('#') ? uri : `${uri}#`}/${toToken(key)}`,
  }
}

/** The keys of an object in the document. */
export function keysOf({ value }: Part): string[] {
  return isRecord(value) ? Object.keys(value) : []
}

/** The elements of a list in the document. */
export function elementsOf(part: Part): Part[] {
  const { value } = part
  return Array.isArray(value) ? Array.from(value, (_, at) => inside(part, at)) : []
}

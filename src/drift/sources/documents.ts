import type { Documents } from '../../core/drift/facts/documents.ts'
import { isRecord, type Json } from '../../core/json/json.ts'
import { resolveUri, splitFragment } from '../../core/url/uri.ts'
import { type DownloadOptions, readValue } from './read-text.ts'

/**
 * Reads the files that the references (`$ref`) of an OpenAPI document lead to, directly or through other files.
 * Ignores references from the network to other origins, and between the network and the disk.
 */
export async function readReferences(
  uri: string,
  root: Json,
  options: DownloadOptions,
): Promise<Documents> {
  const documents = new Map<string, Json>([[uri, root]])
  const left = [uri]
  for (let from = left.pop(); from !== undefined; from = left.pop()) {
    for (const reference of referencesIn(documents.get(from))) {
      const [file] = splitFragment(resolveUri(reference, from))
      if (documents.has(file) || !isSamePlace(file, uri)) continue
      documents.set(file, await readValue(file, file, options))
      left.push(file)
    }
  }
  return documents
}

function isSamePlace(file: string, uri: string): boolean {
  if (!URL.canParse(file)) return false
  return new URL(file).protocol === 'file:'
    ? uri.startsWith('file:')
    : new URL(file).origin === new URL(uri).origin
}

/** The references to other files in a value. */
function referencesIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' && !inner.startsWith('#')
      ? [inner]
      : referencesIn(inner),
  )
}

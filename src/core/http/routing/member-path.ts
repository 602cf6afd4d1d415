/**
 * Returns the percent-encoded path of a resource, such as `/api/v1/posts`, with the path prefix (option
 * `base`). A slash in the name separates folders and is not encoded.
 */
export function resourcePath(base: string, name: string): string {
  return `${base}/${encodeURIComponent(name).replaceAll('%2F', '/')}`
}

/** Returns the percent-encoded path of a record, such as `/api/posts/1`. */
export function memberPath(base: string, collection: string, id: string): string {
  return `${resourcePath(base, collection)}/${encodeURIComponent(id)}`
}

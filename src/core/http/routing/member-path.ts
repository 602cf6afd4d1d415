/**
 * Returns the percent-encoded path of a resource below the base, such as `/api/v1/posts`; a slash in
 * the name separates folders and is not encoded.
 */
export function resourcePath(base: string, name: string): string {
  return `${base}/${encodeURIComponent(name).replaceAll('%2F', '/')}`
}

/** Returns the percent-encoded path of a record below the base, such as `/api/posts/1`. */
export function memberPath(base: string, collection: string, id: string): string {
  return `${resourcePath(base, collection)}/${encodeURIComponent(id)}`
}

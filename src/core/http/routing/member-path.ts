/** The percent-encoded path of a resource. */
export function resourcePath(base: string, name: string): string {
  return `${base}/${encodeURIComponent(name).replaceAll('%2F', '/')}`
}

/** The percent-encoded path of a record. */
export function memberPath(base: string, collection: string, id: string): string {
  return `${resourcePath(base, collection)}/${encodeURIComponent(id)}`
}

/** The path of a resource, as it stands in a URL. */
export function resourcePath(base: string, name: string): string {
  return `${base}/${encodeURIComponent(name).replaceAll('%2F', '/')}`
}

/** The path of a record of a collection, as it stands in a URL. */
export function memberPath(base: string, collection: string, id: string): string {
  return `${resourcePath(base, collection)}/${encodeURIComponent(id)}`
}

/** The path of a record of a collection, as it stands in a URL. */
export function memberPath(base: string, collection: string, id: string): string {
  const name = encodeURIComponent(collection).replaceAll('%2F', '/')
  return `${base}/${name}/${encodeURIComponent(id)}`
}

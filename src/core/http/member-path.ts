/** The path of a record of a collection, as it stands in a URL. */
export function memberPath(base: string, collection: string, id: string): string {
  const segments = [...collection.split('/'), id]
  return `${base}/${segments.map(encodeURIComponent).join('/')}`
}

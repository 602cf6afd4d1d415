/**
 * Returns the URI that identifies the JSON Schema of a resource, in the file `<name>.schema.json`: relative
 * `$ref`s in the schema resolve against this URI. RFC 6761 reserves `.invalid`, so that the URI never leads to
 * a server.
 */
export function toSchemaUri(name: string): string {
  return `https://mock.invalid/${name.split('/').map(encodeURIComponent).join('/')}.schema.json`
}

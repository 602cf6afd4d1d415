/**
 * The URI of the JSON Schema in the file `<name>.schema.json` of a resource, which relative references start from;
 * RFC 6761 reserves `.invalid`.
 */
export function toSchemaUri(name: string): string {
  return `https://mock.invalid/${name.split('/').map(encodeURIComponent).join('/')}.schema.json`
}

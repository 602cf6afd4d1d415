/**
 * The names of the resources that a reference such as `users.schema.json` can mean, the first that exists: a
 * resource in the folder of the resource `from`, else a resource outside of folders.
 */
export function referencedNames(reference: string, from: string): string[] {
  const [, name] = /^(?:.*\/)?([^/]+)\.schema\.json$/.exec(reference) ?? []
  const folder = from.slice(0, from.lastIndexOf('/') + 1)
  return name === undefined ? [] : [folder + name, name]
}

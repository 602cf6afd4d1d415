/**
 * Returns the names of the resources that the reference `users.schema.json`, in a schema of the resource
 * `from`, can refer to: the resource in the folder of `from`, then the resource outside of folders. Callers
 * take the first that exists.
 */
export function referencedNames(reference: string, from: string): string[] {
  const [, name] = /^(?:.*\/)?([^/]+)\.schema\.json$/.exec(reference) ?? []
  const folder = from.slice(0, from.lastIndexOf('/') + 1)
  return name === undefined ? [] : [folder + name, name]
}

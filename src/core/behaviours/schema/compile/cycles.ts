import type { SchemaNode } from './evaluation.ts'
import { SchemaError } from './schema-error.ts'

/**
 * Checks that no schema applies itself to the same value again, through `$ref`, `allOf` or other keywords:
 * such a validation would never end.
 * @throws SchemaError for the first schema that applies itself
 */
export function checkCycles(root: SchemaNode): void {
  const reached = new Set([root])
  for (const { inPlace, below } of reached)
    for (const node of [...inPlace, ...below]) reached.add(node)
  const open = new Set<SchemaNode>()
  const done = new Set<SchemaNode>()
  const visit = (node: SchemaNode): void => {
    if (done.has(node)) return
    if (open.has(node)) {
      const { path, resource } = node.location
      const reason =
        'a $ref leads back to itself. Please refer to the schema from a property or an element.'
      throw new SchemaError(resource.rootName, path, reason)
    }
    open.add(node)
    node.inPlace.forEach(visit)
    done.add(node)
  }
  reached.forEach(visit)
}

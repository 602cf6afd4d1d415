import { findForeignKeys } from '../../fixtures/foreign-keys.ts'
import type { MockInternals } from '../../http/contract/internals.ts'
import { propertiesOf } from '../../shape/declared/apply-schema.ts'
import type { Shape } from '../../shape/shapes.ts'

/** Returns the relations that requests can embed; parents come first, as they take precedence. */
export function relationsOf(
  shape: Shape,
  { service: { links, store, relations, foreignKeySuffix } }: MockInternals,
): EmbeddedRelation[] {
  const { name, kind } = shape
  if (kind === 'document') return []
  const names = [...store.resources.values()]
    .filter((one) => one.kind === 'collection')
    .map((one) => one.name)
  const keys =
    kind === 'collection'
      ? links.relations().parentsOf(name)
      : findForeignKeys(
          { name, keys: Object.keys(propertiesOf(shape.schema)) },
          names,
          relations,
          foreignKeySuffix,
        )
  const parents = keys.map(({ many, alias, parent }): EmbeddedRelation => {
    return many
      ? { name: parent.slice(parent.lastIndexOf('/') + 1), to: parent, isMany: true }
      : { name: alias, to: parent, isMany: false }
  })
  const children = kind === 'collection' ? nestedOf(name, links) : []
  const found = new Map<string, EmbeddedRelation>()
  for (const one of [...parents, ...children.map((child) => ({ ...child, isMany: true }))]) {
    if (!found.has(one.name))
      found.set(one.name, { name: one.name, to: one.to, isMany: one.isMany })
  }
  return [...found.values()]
}

/** A relation of a resource that requests can embed. */
export interface EmbeddedRelation {
  name: string
  to: string
  isMany: boolean
}

/** A path to the children of a record of a collection: `/posts/{id}/comments`. */
export interface NestedPath {
  name: string
  to: string
  /** The field of a child that gets the id of the parent; undefined if a POST is not allowed. */
  key?: string
}

/** Returns the nested paths of a collection: `/posts/{id}/comments`. */
export function nestedOf(name: string, links: MockInternals['service']['links']): NestedPath[] {
  return links.childNames(name).flatMap((child) => {
    const related = links.children(name, child)
    if (!related) return []
    const key = related.relation?.key
    return [{ name: child, to: related.collection, ...(key !== undefined && { key }) }]
  })
}

import { findFree, toTypeName } from '../shape/typescript/names.ts'
import type { Shape } from '../shape/shapes.ts'
import { singularOf } from '../text/plurals.ts'

/** The names that a resource has in a document. */
export interface ResourceNames {
  /** The component of a record: `Post`. */
  one: string
  /** The name of the collection in operations: `Posts`. */
  many: string
  /** The name of a record in a sentence: `post`. */
  singular: string
}

/** What the names of the other components of a resource end in. */
const endings = ['', 'Input', 'Patch', 'MergePatch', 'Form', 'FormPatch', 'Part', 'WithRelations']

/**
 * Names the components of all resources as a person would: `Post` for `posts`, `V1OrderItem` for
 * `v1/order-items`. Names of components have ASCII letters only (OpenAPI 3.1.1 §4.8.7.1).
 */
export function nameResources(
  shapes: readonly Pick<Shape, 'name' | 'kind'>[],
  reserved: readonly string[],
): Map<string, ResourceNames> {
  const used = new Set(reserved)
  return new Map(
    shapes.map(({ name, kind }) => {
      const isFree = (one: string): boolean => endings.every((end) => !used.has(one + end))
      const singular = kind === 'collection' ? singularOf(name) : name
      const one = findFree(toName(singular), isFree)
      for (const end of endings) used.add(one + end)
      const many = toName(name)
      return [name, { one, many: many === 'Resource' ? `${one}List` : many, singular }]
    }),
  )
}

/** A name in Pascal case, of ASCII letters, digits and underscores. */
export function toName(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return toTypeName(plain.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim())
}

/** Creates a function that makes each name that it returns unique, by a number. */
export function createUnique(): (name: string) => string {
  const used = new Set<string>()
  return (name) => {
    const free = findFree(name, (one) => !used.has(one))
    used.add(free)
    return free
  }
}

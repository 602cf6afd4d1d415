import { findFree, toTypeName } from '../shape/typescript/syntax.ts'
import type { Shape } from '../shape/shapes.ts'
import { singularOf } from '../text/plurals.ts'
import { isAscii, toAscii } from '../text/to-ascii.ts'

/** Names components in ASCII (OpenAPI 3.1.1 §4.8.7.1), as a person would; by the title if the name has other letters. */
export function nameResources(
  shapes: readonly Pick<Shape, 'name' | 'kind' | 'schema'>[],
  reserved: readonly string[],
): Map<string, ResourceNames> {
  const used = new Set(reserved)
  return new Map(
    shapes.map(({ name, kind, schema: { title } }) => {
      const isFree = (one: string): boolean => endings.every((end) => !used.has(one + end))
      const singular = kind === 'collection' ? singularOf(name) : name
      const isTitled = typeof title === 'string' && !isAscii(toAscii(name)) && isAscii(title)
      const one = findFree(toName(isTitled ? title : singular), isFree)
      for (const end of endings) used.add(one + end)
      const hasPlural = !isTitled && toName(name) !== 'Resource'
      const many = hasPlural ? toName(name) : `${one}List`
      return [name, { one, many, singular: toWords(singular) }]
    }),
  )
}

/** The names that a resource has in an OpenAPI document. */
export interface ResourceNames {
  /** The component of a record: `Post`. */
  one: string
  /** The name of the collection in operations: `Posts`. */
  many: string
  /** The name of a record in a sentence: `post`. */
  singular: string
}

const endings = ['', 'Input', 'Patch', 'MergePatch', 'Form', 'FormPatch', 'Part', 'WithRelations']

/** Converts a text to a name in Pascal case, of ASCII letters, digits and underscores: `用户` is `U7528U6237`. */
export function toName(text: string): string {
  const plain = toAscii(text).replaceAll(
    /[^\0-\x7F]/gu,
    (letter) => ` U${letter.codePointAt(0)?.toString(16).toUpperCase()} `,
  )
  return toTypeName(plain.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim())
}

/** Converts a name to words of a sentence: `order item` for `order-item` and `orderItem`. */
function toWords(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])[A-Z](?=[a-z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .replaceAll(/(?<=[A-Za-z0-9])[-_/ ]+(?=[A-Za-z0-9])/g, ' ')
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

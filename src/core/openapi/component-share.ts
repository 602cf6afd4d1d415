import { addToMultimap } from '../structures/add-to-multimap.ts'
import type { Reference } from '../types/openapi.ts'
import { createUnique } from './names.ts'

/**
 * Creates the components of one kind, such as `parameters`, of an OpenAPI document: a part that occurs more
 * than once, such as a header, is written once as a component, and references lead there.
 */
export function createShare<T extends object>(kind: string): Share<T> {
  const counted = new Map<string, Counted>()
  const components: Record<string, T> = {}
  let names: ReadonlyMap<string, string> | undefined
  return {
    count(value, use) {
      const key = JSON.stringify(value)
      const found = counted.get(key) ?? { ...use, key, count: 0, owners: new Set() }
      found.count++
      found.owners.add(use.owner)
      counted.set(key, found)
    },
    share(value) {
      names ??= nameAll([...counted.values()].filter(({ count }) => count > 1))
      const name = names.get(JSON.stringify(value))
      if (name === undefined) return value
      components[name] = value
      return { $ref: `#/components/${kind}/${name}` }
    },
    components: () => components,
  }
}

/** The components of one kind. */
export interface Share<T extends object> {
  /** Counts a part. All parts are counted before one is shared. */
  count(value: T, use: Use): void
  /** Returns a reference to the component of a part that was counted more than once, otherwise the part itself. */
  share(value: T): T | Reference
  components(): Record<string, T>
}

/** A use of a part in a document, with the names from which the name of its component is chosen. */
export interface Use {
  /** The preferred name of the component: `Title`. */
  wanted: string
  /** The component of the resource: `Post`. */
  owner: string
  /** Prefixes that make the name unique, the best first: the type, the method. */
  qualifiers: readonly string[]
}

interface Counted extends Use {
  key: string
  count: number
  owners: Set<string>
}

/**
 * Names components by their content. If several components have one preferred name, each gets the name of its resource
 * as a prefix if the resources differ (`PostEmbed`); otherwise the most frequent component gets the name, and the other
 * names begin with the first distinction (`StringId`).
 */
function nameAll(all: readonly Counted[]): Map<string, string> {
  const unique = createUnique()
  const names = new Map<string, string>()
  const groups = new Map<string, Counted[]>()
  for (const counted of all) addToMultimap(groups, counted.wanted, counted)
  for (const [name, group] of groups) {
    group.sort((a, b) => b.count - a.count)
    const owners = new Set(group.flatMap((one) => [...one.owners]))
    const isOwned = owners.size === group.length && group.every((one) => one.owners.size === 1)
    const used = new Set<string>()
    group.forEach(({ key, owner, owners: own, qualifiers }, at) => {
      const isPlain = group.length === 1 || (at === 0 && !isOwned)
      const distinctions = qualifiers.filter((one, index) => one !== group[0]?.qualifiers[index])
      const prefixes = [...(isOwned ? [] : distinctions), ...(own.size === 1 ? [owner] : [])]
      const free = prefixes
        .map((prefix) => prefix + name)
        .find((one) => !used.has(one) && !groups.has(one))
      const chosen = isPlain ? name : (free ?? name)
      used.add(chosen)
      names.set(key, unique(chosen))
    })
  }
  return names
}

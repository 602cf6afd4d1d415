import type { Items } from './items.ts'

/**
 * Opens a map with the state of a behaviour, whose entries are in the storage of a Durable Object: the map
 * begins with the entries of the last process, in their order, and stores every `set`, `delete` and `clear`.
 */
export function openStoredMap<Value>(items: Items, name: string): Map<string, Value> {
  const kind = `map ${name}` as const
  const stored = items.all(kind).toSorted(([, one], [, other]) => one.position - other.position)
  const positions = new Map(stored.map(([key, { position }]) => [key, position]))
  let last = Math.max(0, ...positions.values())

  class StoredMap extends Map<string, Value> {
    override set(key: string, value: Value): this {
      const position = positions.get(key) ?? ++last
      positions.set(key, position)
      items.put(kind, key, { position, value })
      return super.set(key, value)
    }

    override delete(key: string): boolean {
      if (positions.delete(key)) items.remove(kind, key)
      return super.delete(key)
    }

    override clear(): void {
      if (positions.size > 0) items.clear(kind)
      positions.clear()
      super.clear()
    }

    /** Adds an entry that is stored already. */
    load(key: string, value: Value): void {
      super.set(key, value)
    }
  }

  const map = new StoredMap()
  for (const [key, { value }] of stored) map.load(key, value as Value)
  return map
}

import type { Items } from './items.ts'

/** Opens a stored map of a behaviour: it begins with the last entries in order, and stores every change. */
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

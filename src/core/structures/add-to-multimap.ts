/** Appends an item to the list under a key of a map; creates the list for the first item. */
export function addToMultimap<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

/** Appends an item to the list under a key; creates the list for the first item of a key. */
export function addToMultimap<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key)
  if (list) list.push(item)
  else lists.set(key, [item])
}

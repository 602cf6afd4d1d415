/**
 * Sets an entry of a map with at most `limit` entries, and makes it the last one. If there are more entries, removes the
 * first, which was set least recently.
 */
export function setLatest<Value>(
  map: Map<string, Value>,
  key: string,
  value: Value,
  limit: number,
): void {
  map.delete(key)
  map.set(key, value)
  const [first = ''] = map.keys()
  if (map.size > limit) map.delete(first)
}

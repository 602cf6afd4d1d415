/** Items in order by the values of each, of which the first that differs decides. */
export function sortBy<Item>(
  items: readonly Item[],
  valuesOf: (item: Item) => readonly unknown[],
  compare: (left: unknown, right: unknown, at: number) => number,
): Item[] {
  const rows = items.map((item) => ({ item, values: valuesOf(item) }))
  rows.sort((left, right) => {
    for (const [at, value] of left.values.entries()) {
      const sign = compare(value, right.values[at], at)
      if (sign !== 0) return sign
    }
    return 0
  })
  return rows.map(({ item }) => item)
}

/** Returns the first items, at least one: more would fill the context of a model. */
export function firstItems<Item>(items: readonly Item[]): Item[] {
  let length = 0
  const end = items.findIndex((item, at) => {
    length += JSON.stringify(item).length
    return at > 0 && length > maxList
  })
  return end < 0 ? [...items] : items.slice(0, end)
}

/** Writes a result as JSON, cut with a note if it is too long for the context of a model. */
export function toText(result: object): string {
  const text = JSON.stringify(result)
  if (text.length <= maxText) return text
  return `${text.slice(0, maxText)}\n… cut: the result has ${text.length} characters. Please ask for less, for example with "fields" or "limit".`
}

/** The longest list of records or requests in a result, in characters of JSON. */
const maxList = 24_000

/** The longest text of a result, in characters. */
const maxText = 40_000

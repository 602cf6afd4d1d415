/** The longest list of records or requests in a result, in characters of JSON. */
const longestList = 24_000

/** The longest text of a result, in characters. */
const longestText = 40_000

/**
 * The first items whose JSON is short enough for the context of a model, and at least the first item.
 */
export function fitting<Item>(items: readonly Item[]): Item[] {
  let length = 0
  const end = items.findIndex((item, at) => {
    length += JSON.stringify(item).length
    return at > 0 && length > longestList
  })
  return end < 0 ? [...items] : items.slice(0, end)
}

/** The JSON of a result; a text that is too long for the context of a model ends with its full length. */
export function toText(result: object): string {
  const text = JSON.stringify(result)
  if (text.length <= longestText) return text
  return `${text.slice(0, longestText)}\n… cut: the result has ${text.length} characters. Please ask for less, for example with "fields" or "limit".`
}

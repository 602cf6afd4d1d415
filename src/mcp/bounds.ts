/**
 * Returns as many of the first items as the result of an MCP tool may have, and at least one: a longer list
 * would fill the context of the model that reads the result.
 */
export function firstItems<Item>(items: readonly Item[]): Item[] {
  let length = 0
  const end = items.findIndex((item, at) => {
    length += JSON.stringify(item).length
    return at > 0 && length > maxList
  })
  return end < 0 ? [...items] : items.slice(0, end)
}

/**
 * Writes the result of a tool as JSON. Cuts a text that is too long for the context of a model, and adds a
 * note.
 */
export function toText(result: object): string {
  const text = JSON.stringify(result)
  if (text.length <= maxText) return text
  return `${text.slice(0, maxText)}\n… cut: the result has ${text.length} characters. Please ask for less, for example with "fields" or "limit".`
}

/** The longest list of records or requests in a result, in characters of JSON. */
const maxList = 24_000

/** The longest text of a result, in characters. */
const maxText = 40_000

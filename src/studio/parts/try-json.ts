/** Reads a text that may be JSON; undefined for any other text. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

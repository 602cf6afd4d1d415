/** Returns a setting of the page that the browser remembers for this origin; `initial` without one. */
export function remembered<Value>(name: string, initial: Value): Value {
  try {
    const text = localStorage.getItem(`fixtura ${name}`)
    return text === null ? initial : (JSON.parse(text) as Value)
  } catch {
    // A browser may keep nothing, and a setting of another version may be no JSON.
    return initial
  }
}

/** Remembers a setting of the page for this origin; undefined forgets it. */
export function remember(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`fixtura ${name}`)
    else localStorage.setItem(`fixtura ${name}`, JSON.stringify(value))
  } catch {
    // Without storage, the setting lasts as long as the page.
  }
}

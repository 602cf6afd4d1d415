/**
 * Finds the known name with the smallest edit distance from `name`, ignoring case, for suggestions such as *Did
 * you mean "posts"?*. Returns undefined if every distance is more than a third of the length of `name`, and
 * more than 1.
 */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    // Each character of difference in length is an edit.
    if (Math.abs(candidate.length - name.length) >= fewest) continue
    const edits = distance(name.toLowerCase(), candidate.toLowerCase())
    if (edits >= fewest) continue
    fewest = edits
    best = candidate
  }
  return best
}

/** Finds the nearest known name, otherwise the first known name that starts with `name` (three characters or more). */
export function nearestOrPrefix(name: string, known: readonly string[]): string | undefined {
  const hasPrefix = (one: string): boolean => one.toLowerCase().startsWith(name.toLowerCase())
  return nearest(name, known) ?? (name.length > 2 ? known.find(hasPrefix) : undefined)
}

/** Returns the last sentence of an error about an unknown name: the nearest name, otherwise the first 100 names. */
export function suggest(name: string, known: readonly string[]): string {
  const near = nearestOrPrefix(name, known)
  if (near !== undefined) return `Did you mean "${near}"?`
  return `Known: ${known.slice(0, 100).join(', ') || 'none'}${known.length > 100 ? ' …' : '.'}`
}

/** Returns the edit distance of two strings, with transpositions (optimal string alignment); 64 for a long `a`. */
function distance(a: string, b: string): number {
  if (a.length > 64) return a === b ? 0 : 64
  const rows: number[][] = []
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity
  for (let i = 0; i <= a.length; i++) {
    const row: number[] = (rows[i] = [])
    for (let j = 0; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row[j] = Math.min(
        i * j === 0 ? i + j : Infinity,
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwapped ? at(i - 2, j - 2) + 1 : Infinity,
      )
    }
  }
  return at(a.length, b.length)
}

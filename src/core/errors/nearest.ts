/** The known name that differs least from the given one, or undefined where none is near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best: string | undefined
  let least = limit + 1
  for (const candidate of known) {
    const steps = distance(name.toLowerCase(), candidate.toLowerCase())
    if (steps >= least) continue
    least = steps
    best = candidate
  }
  return best
}

/** The known name that is nearest, else one of which the given one is the beginning. */
export function nearestOrPrefix(name: string, known: readonly string[]): string | undefined {
  const start = name.toLowerCase()
  const isLonger = (one: string): boolean => one.toLowerCase().startsWith(start)
  return nearest(name, known) ?? (start.length > 2 ? known.find(isLonger) : undefined)
}

/** A closing sentence for an unknown name: the nearest known one, or all of them. */
export function suggest(name: string, known: readonly string[]): string {
  const near = nearestOrPrefix(name, known)
  if (near !== undefined) return `Did you mean "${near}"?`
  return known.length > 0 ? `Known: ${known.join(', ')}.` : 'There is none.'
}

/** Edits between two texts, two neighbours swapped counting as one (optimal string alignment). */
function distance(a: string, b: string): number {
  if (a.length > 64 || b.length > 64) return a === b ? 0 : 64
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

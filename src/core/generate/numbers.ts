import type { Random } from '../time/random.ts'

/**
 * Creates the function that draws a number near the number of an example: between the neighbours of that number
 * among all examples, with the decimals that they have.
 */
export function createNumbers(
  examples: readonly number[],
): (random: Random, near: number) => number {
  const sorted = [...new Set(examples)].sort((a, b) => a - b)
  const isRepeated = sorted.length * 2 <= examples.length && sorted.length <= 12
  if (isRepeated || sorted.length < 2) return (_random, near) => near
  const areIntegers = sorted.every(Number.isInteger)
  const step = areIntegers ? Math.max(1, sorted.reduce(gcd, 0)) : 1
  const decimals = Math.min(10, Math.max(...sorted.map(decimalsOf)))
  const endings = new Set(sorted.map(endingOf))
  const hasEndings = !areIntegers && decimals <= 2 && endings.size <= Math.max(3, sorted.length / 2)
  const indexes = new Map(sorted.map((value, index) => [value, index]))
  const last = sorted.length - 1
  return (random, near) => {
    const at = indexes.get(near) ?? 0
    const neighbour = sorted[random() < 0.5 ? Math.max(0, at - 1) : Math.min(last, at + 1)] ?? near
    const between = near + ((neighbour - near) * random()) / 2
    if (areIntegers) return Math.round(between / step) * step
    // Prices keep the usual endings: 13.5, 16.9.
    if (hasEndings) return toDecimals(Math.floor(between) + endingOf(near), decimals)
    return toDecimals(between, decimals)
  }
}

function gcd(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : gcd(b, a % b)
}

function decimalsOf(value: number): number {
  return /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0
}

function endingOf(value: number): number {
  return toDecimals(value - Math.floor(value), 4)
}

/** Rounds a number to some decimals. */
export function toDecimals(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

/** Finds `[a, b, sum]` among the numeric fields of objects in which `a + b` is always `sum`. */
export function findSums(
  objects: readonly Readonly<Record<string, unknown>>[],
): [string, string, string][] {
  const [first = {}] = objects
  const fields = Object.keys(first).filter((name) => typeof first[name] === 'number')
  if (objects.length < 3 || fields.length < 3 || fields.length > 8) return []
  const number = (object: Readonly<Record<string, unknown>>, name: string): number =>
    Number(object[name])
  const isVaried = (name: string): boolean => new Set(objects.map((one) => one[name])).size > 1
  return fields.flatMap((a, index) =>
    fields.slice(index + 1).flatMap((b) =>
      fields
        .filter((sum) => sum !== a && sum !== b && isVaried(a) && isVaried(b))
        .filter((sum) =>
          objects.every(
            (one) => Math.abs(number(one, a) + number(one, b) - number(one, sum)) < 0.005,
          ),
        )
        .map((sum): [string, string, string] => [a, b, sum]),
    ),
  )
}

/** A problem with a value in a fixture file, at a path that `diagnose` turns into a line and a column. */
export interface Problem {
  severity: 'error' | 'warning'
  /** The path of keys and indexes from the root of the file to the value. */
  path: (string | number)[]
  /**
   * The problem, without the name of the file. `{first}` is replaced by the position of `first`, and
   * `{number}` by the number as the file has it, or otherwise by `number`.
   */
  problem: string
  number?: string
  advice: string
  /** The path to an earlier value that conflicts with this value. */
  first?: (string | number)[]
}

/** The first problems of each kind, in their order; the last of a kind says how many more there are. */
export function firstOfEach<One extends { problem: string }>(
  problems: readonly One[],
  kindOf: (one: One) => unknown = () => '',
  maxReported: number = MAX_REPORTED,
): One[] {
  const totals = new Map<unknown, number>()
  const counted = problems.map((one) => {
    const kind = kindOf(one)
    const number = (totals.get(kind) ?? 0) + 1
    totals.set(kind, number)
    return { one, kind, number }
  })
  return counted.flatMap(({ one, kind, number }) => {
    if (number > maxReported) return []
    const more = (totals.get(kind) ?? 0) - number
    if (number < maxReported || more === 0) return one
    return { ...one, problem: `${one.problem} (and ${more} more)` }
  })
}

/** The most problems of one kind that are reported one by one. */
const MAX_REPORTED = 10

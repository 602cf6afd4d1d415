/** Returns the median of values. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle - 0.5)] + sorted[Math.floor(middle - 0.5)]) / 2
}

/** Returns the quantile of values: the value below which the given share of the values lies. */
export function quantile(values, share) {
  return values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ]
}

/** Finds the prefix with most resources: `/api/v2`. Among equal ones, `preferred` wins, then the shortest. */
export function findPrefix(
  paths: readonly string[],
  names: readonly string[],
  preferred: string,
): string {
  /** How many resources have a path below each prefix. */
  const votes = new Map<string, number>()
  for (const name of names) {
    const prefixes = new Set(paths.flatMap((path) => prefixesOf(path, name)))
    for (const prefix of prefixes) votes.set(prefix, (votes.get(prefix) ?? 0) + 1)
  }
  const rank = ([prefix, count]: [string, number]): number =>
    count * 10_000 + (prefix === preferred ? 5000 : 0) - prefix.length
  return [...votes].toSorted((a, b) => rank(b) - rank(a))[0]?.[0] ?? preferred
}

function prefixesOf(path: string, name: string): string[] {
  const found: string[] = []
  const segment = `/${name}`
  for (let at = path.indexOf(segment); at >= 0; at = path.indexOf(segment, at + 1)) {
    const rest = path.slice(at + segment.length)
    if (rest === '' || rest.startsWith('/')) found.push(path.slice(0, at))
  }
  return found
}

/** The number of resources, or of requests, that fit below a prefix. */
type Votes = Map<string, number>

/**
 * Finds the prefix below which most resources are, such as `/api/v2` where the paths are `/api/v2/posts` and
 * `/api/v2/users/1`. Of equals, `preferred` wins, then the shortest.
 */
export function findPrefix(
  paths: readonly string[],
  names: readonly string[],
  preferred: string,
): string {
  const votes: Votes = new Map()
  for (const name of names) {
    const prefixes = new Set(paths.flatMap((path) => prefixesOf(path, name)))
    for (const prefix of prefixes) votes.set(prefix, (votes.get(prefix) ?? 0) + 1)
  }
  const rank = ([prefix, count]: [string, number]): number =>
    count * 10_000 + (prefix === preferred ? 5000 : 0) - prefix.length
  return [...votes].toSorted((a, b) => rank(b) - rank(a))[0]?.[0] ?? preferred
}

/** The parts of a path in front of the name of a resource. */
function prefixesOf(path: string, name: string): string[] {
  const found: string[] = []
  const segment = `/${name}`
  for (let at = path.indexOf(segment); at >= 0; at = path.indexOf(segment, at + 1)) {
    const rest = path.slice(at + segment.length)
    if (rest === '' || rest.startsWith('/')) found.push(path.slice(0, at))
  }
  return found
}

/** Decodes the percent-encoding of a path, for messages; a path with an invalid encoding is returned unchanged. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A path without a slash at its end. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}

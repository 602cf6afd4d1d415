/** Patterns of `--ignore`: `*` stands for any characters, and `posts` also matches everything below it. */
export function createIgnore(patterns: readonly string[]): (path: string) => boolean {
  const compiled = patterns.map((pattern) => pattern.split('*'))
  return (path) => compiled.some((parts) => outerPaths(path).some((outer) => matches(outer, parts)))
}

/** Returns a path and the paths around it: `a.b[].c`, `a.b[]`, `a.b`, `a`. */
function outerPaths(path: string): string[] {
  const ends = [...path.matchAll(/\.|\[\]/g)].map(({ index }) => index)
  return path.startsWith('GET ') ? [path] : [path, ...ends.map((end) => path.slice(0, end))]
}

/** Whether a path consists of these parts in order, with anything between them; takes linear time. */
function matches(path: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop()
  if (last === undefined) return path === first
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return path.length - last.length >= at && path.endsWith(last)
}

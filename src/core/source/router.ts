import { decode } from '../url/pattern.ts'
import type { Binding } from './binding.ts'
import type { Operation, Segment } from './document.ts'

/**
 * Creates the function that finds the operation of a path; a text in a template wins over a parameter, and of templates
 * that differ in the names of parameters alone, the first for which `accepts` allows the parameters.
 */
export function createRouter(
  bindings: readonly Binding[],
  prefixes: readonly string[],
  accepts: (operation: Operation, params: Match['params']) => boolean,
): Router {
  const templates = new Set<string>()
  const rivals = new Set<string>()
  const byLength = new Map<number, Binding[]>()
  for (const binding of bindings) {
    const { method, template } = binding.operation
    const known = templates.has(`${method} ${template}`) ? rivals : templates
    known.add(`${method} ${template}`)
    if (binding.action === 'none') continue
    const { length } = binding.operation.segments
    byLength.set(length, [...(byLength.get(length) ?? []), binding])
  }
  for (const group of byLength.values()) group.sort(bySpecificity)

  function match(method: string, path: string): Match {
    const given = path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decode)
    const asked = method === 'HEAD' ? 'GET' : method
    const allowed = new Set<string>()
    let other: Match | undefined
    for (const binding of byLength.get(given.length) ?? []) {
      const params = matchSegments(binding.operation.segments, given)
      if (!params) continue
      const own = binding.operation.method
      const found: Match = { binding, params, allowed: [own] }
      const isOnly = !rivals.has(`${own} ${binding.operation.template}`)
      if (own === method && (isOnly || accepts(binding.operation, params))) return found
      if (own === method || own === asked) other ??= found
      allowed.add(own)
    }
    return other ?? { binding: undefined, params: {}, allowed: [...allowed] }
  }

  return (method, path) => {
    const first = match(method, path)
    if (first.binding) return first
    for (const prefix of prefixes) {
      if (prefix === '' || !path.startsWith(`${prefix}/`)) continue
      const found = match(method, path.slice(prefix.length))
      if (found.binding || found.allowed.length > 0) return found
    }
    return first
  }
}

/** Finds the operation of a method and a path, as documented or below the path of a server. */
export type Router = (method: string, path: string) => Match

interface Match {
  binding: Binding | undefined
  /** The path parameters, decoded. */
  params: Readonly<Record<string, string>>
  /** The methods of the path. */
  allowed: readonly string[]
}

function bySpecificity(a: Binding, b: Binding): number {
  for (const [at, segment] of a.operation.segments.entries()) {
    const other = b.operation.segments[at]
    const difference = rankOf(segment) - (other ? rankOf(other) : 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** A text first, then a parameter with text around, then a parameter. */
function rankOf({ names, text }: Segment): number {
  if (names.length === 0) return 0
  return text === `{${names[0]}}` ? 2 : 1
}

function matchSegments(
  segments: readonly Segment[],
  given: readonly string[],
): Record<string, string> | undefined {
  const params: [string, string][] = []
  for (const [at, { text, names, pattern }] of segments.entries()) {
    const part = given[at] ?? ''
    if (!pattern) {
      if (part !== text) return undefined
      continue
    }
    const found = pattern.exec(part)
    if (!found) return undefined
    for (const [index, name] of names.entries()) params.push([name, found[index + 1] ?? ''])
  }
  return Object.fromEntries(params)
}

import { decodeSegment } from '../../url/segment.ts'

/**
 * Finds the resource or record that a path names, ignoring the case of resource names. A nested path such as
 * `/posts/1/comments`, which only GET and POST have, is the path of its child with a parent.
 */
export function findTarget(
  path: string,
  method: string,
  names: readonly string[],
): Target | undefined {
  const nested = method === 'GET' || method === 'POST' ? splitNested(path, names) : undefined
  if (!nested) return matchName(path, names)
  const target = matchName(`/${nested.child}`, names)
  return target && { ...target, parent: nested.parent }
}

/** The resource that a path names, and the id if the path names a record. */
export interface Target {
  name: string
  id?: string
  /** The collection and the id of the parent in a nested path. */
  parent?: { name: string; id: string }
}

/** Whether a path equals a lower-case path, ignoring case and a trailing slash. */
export function isPath(path: string, expected: string): boolean {
  const lower = path.toLowerCase()
  return lower === expected || lower === `${expected}/`
}

interface Nested {
  parent: { name: string; id: string }
  child: string
}

/** Splits `/posts/1/comments`; paths of resources in folders, such as `v1/posts`, are not nested paths. */
function splitNested(path: string, names: readonly string[]): Nested | undefined {
  const found = /^\/([^/]+)\/([^/]+)\/([^/]+)\/?$/.exec(path)
  if (!found || names.some((name) => name.includes('/') && matchName(path, [name])))
    return undefined
  const [parent = '', id = '', child = ''] = found.slice(1).map(decodeSegment)
  // json-server parses the child's name as a URL again: whitespace is invalid, `?` and `#` end the name.
  const [name = ''] = /\s/.test(child) ? [] : child.split(/[?#]/, 1)
  return { parent: { name: parent, id }, child: name }
}

/**
 * Finds a resource or a record by a path in encoded form, as routes of Express do: longer names win, as a name
 * can be the folder of another, then a name in the exact case. One additional slash is accepted.
 */
function matchName(path: string, names: readonly string[]): Target | undefined {
  const lower = path.toLowerCase()
  const isExact = (name: string): number => Number(path.startsWith(`/${name}`))
  const candidates = names
    .filter((name) => lower.startsWith(`/${name.toLowerCase()}`))
    .toSorted((a, b) => b.length - a.length || isExact(b) - isExact(a))
  for (const name of candidates) {
    const found = /^\/?(?:\/([^/]+))?\/?$/.exec(path.slice(name.length + 1))
    if (!found) continue
    const [, id] = found
    return id === undefined ? { name } : { name, id: decodeSegment(id) }
  }
  return undefined
}

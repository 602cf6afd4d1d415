import { decodeSegment } from '../../url/segment.ts'
import { keyTo } from './related.ts'

/** What a path stands for: a resource, or a record of it. */
export interface Place {
  name: string
  id?: string
  /** The key and the id of the parent that a nested path names. */
  scope?: readonly [key: string, id: string]
}

/**
 * Finds what a path stands for: a resource, whatever the case of its name, or a record of it. A path
 * with a parent, which only GET and POST have, is that of the child alone and says whose it is to be.
 */
export function findPlace(
  path: string,
  method: string,
  names: readonly string[],
): Place | undefined {
  const nested = method === 'GET' || method === 'POST' ? splitNested(path, names) : undefined
  if (!nested) return matchName(path, names)
  const place = matchName(`/${nested.child}`, names)
  return place && { ...place, scope: [keyTo(nested.parent), nested.id] }
}

/** Whether a path is the given one, whatever its case and with or without a slash behind it. */
export function isPath(path: string, wanted: string): boolean {
  const lower = path.toLowerCase()
  return lower === wanted || lower === `${wanted}/`
}

interface Nested {
  parent: string
  id: string
  child: string
}

/** Splits `/posts/1/comments`; a resource of a folder, such as `v1/posts`, is no parent. */
function splitNested(path: string, names: readonly string[]): Nested | undefined {
  const found = /^\/([^/]+)\/([^/]+)\/([^/]+)\/?$/.exec(path)
  if (!found || names.some((name) => name.includes('/') && matchName(path, [name])))
    return undefined
  const [parent = '', id = '', child = ''] = found.slice(1).map(decodeSegment)
  // The child's name is read as a URL again, which never has a space in it.
  const [name = ''] = /\s/.test(child) ? [] : child.split(/[?#]/, 1)
  return { parent, id, child: name }
}

/**
 * Names are compared as they were sent, so that one with an escape is none: the longest before others,
 * as it may lie in a folder of their name, and the exact one before that in another case. One slash more
 * is let pass.
 */
function matchName(path: string, names: readonly string[]): Place | undefined {
  const lower = path.toLowerCase()
  const isExact = (name: string): number => Number(path.startsWith(`/${name}`))
  const known = names
    .filter((name) => lower.startsWith(`/${name.toLowerCase()}`))
    .toSorted((a, b) => b.length - a.length || isExact(b) - isExact(a))
  for (const name of known) {
    const found = /^\/?(?:\/([^/]+))?\/?$/.exec(path.slice(name.length + 1))
    if (!found) continue
    const [, id] = found
    return id === undefined ? { name } : { name, id: decodeSegment(id) }
  }
  return undefined
}

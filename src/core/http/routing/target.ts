import { MockError } from '../../errors/mock-error.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { suggest } from '../../errors/nearest.ts'
import { decodeSegment } from '../../url/segment.ts'
import type { Dialect, DialectRoute, Serve } from '../../dialects/contract/dialect.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Links, RelatedRecords } from '../../store/relations.ts'
import type { Resource, Document, Singleton } from '../../store/records/resource.ts'
import type { NamedResources, ResourceRules } from '../contract/service.ts'
import type { Store } from '../../store/store.ts'

/** Finds the resource or record that a path names. @throws MockError 404 with the known resources, 400 for a bad escape */
export function findTarget(path: string, data: RoutingData): Target {
  const segments = segmentsOf(path, data.base) ?? []
  const { resource, end } = findResource(segments, data.resources)
  if (!resource || ownValue(data.rules, resource.name)?.nested) throw unknownResource(path, data)
  if (resource.kind === 'collection') return descend(resource, segments, end, path, data)
  if (end < segments.length) {
    throw notFound(`Failed to find "${path}": "${resource.name}" has no members.`)
  }
  return toTarget(resource)
}

/** The resource or record that a path names. */
export type Target =
  | { kind: 'collection'; resource: Collection; parent?: Parent | undefined }
  | {
      kind: 'member'
      resource: Collection
      id: string
      parent?: Parent | undefined
      /** The route of the dialect below the path of the record. */
      route?: FoundRoute
    }
  | { kind: 'singleton'; resource: Singleton }
  | { kind: 'document'; resource: Document }

/** The record that a nested path names (`/posts/1/comments`); requests see only its children. */
export interface Parent {
  collection: Collection
  id: string
  /** The relation from the parent to the collection after it in the path. */
  related: RelatedRecords
}

/** A route of the dialect, and the values of the parameters in its path. */
export interface FoundRoute {
  route: DialectRoute & { serve: Serve }
  params: Record<string, string>
}

/** The path prefix, the store and the relations, which decide what a path names. */
export interface RoutingData {
  /** The prefix of every path: `/api`, or an empty string. */
  base: string
  store: Store
  links: Links
  resources: NamedResources
  /** The rules of single resources, by name. */
  rules: Readonly<Record<string, ResourceRules>>
  dialect?: Pick<Dialect, 'paths' | 'routes' | 'memberRoutes'>
}

/** Returns the target of the path of a resource itself. */
export function toTarget(resource: Resource): Target {
  return { kind: resource.kind, resource } as Target
}

function segmentsOf(path: string, base: string): string[] | undefined {
  if (!path.startsWith(`${base}/`)) return undefined
  const segments = path.slice(base.length + 1).split('/')
  if (segments.at(-1) === '') segments.pop()
  // Every step may scan the children of a parent, so that the number of steps is bounded.
  if (segments.length > 32) return undefined
  return path.includes('%') ? segments.map(decodeSegment) : segments
}

/** The resource with the longest name that the segments begin with; an escaped slash separates nothing. */
function findResource(
  segments: readonly string[],
  resources: NamedResources,
): { resource: Resource | undefined; end: number } {
  const escaped = segments.findIndex((segment) => segment.includes('/'))
  for (let end = escaped < 0 ? segments.length : escaped; end > 0; end--) {
    const name = end === 1 ? segments[0] : segments.slice(0, end).join('/')
    const resource = resources.get(name ?? '')
    if (resource) return { resource, end }
  }
  return { resource: undefined, end: 0 }
}

/** Follows the segments from `end` on, behind the name of a collection: an id, a child collection, and so on. */
function descend(
  start: Collection,
  segments: readonly string[],
  end: number,
  path: string,
  data: RoutingData,
): Target {
  let resource = start
  let parent: Parent | undefined
  for (let at = end; ; at += 2) {
    const id = segments[at]
    if (id === undefined) return { kind: 'collection', resource, parent }
    const name = segments[at + 1]
    if (name === undefined) return { kind: 'member', resource, id, parent }
    findMember(resource, id, parent)
    const related = data.links.children(resource.name, name)
    if (!related) {
      const route = matchRoute(segments.slice(at + 1), data.dialect?.memberRoutes)
      if (route) return { kind: 'member', resource, id, parent, route }
      const known = data.links.childNames(resource.name)
      throw notFound(
        `Failed to find "${path}": "${resource.name}" has no children named "${name}". ${suggest(name, known)}`,
      )
    }
    parent = { collection: resource, id, related }
    resource = data.store.collection(related.collection)
  }
}

/** Finds the route of the dialect at a path that names no resource. */
export function findRoute(path: string, data: RoutingData): FoundRoute | undefined {
  return matchRoute(segmentsOf(path, data.base) ?? [], data.dialect?.routes)
}

function matchRoute(
  segments: readonly string[],
  routes: readonly DialectRoute[] = [],
): FoundRoute | undefined {
  for (const route of routes) {
    const { path, serve } = route
    const names = path.replace(/^\//, '').split('/')
    const isMatch = names.every((name, at) => name.startsWith(':') || name === segments[at])
    if (!serve || !isMatch || names.length !== segments.length) continue
    const params = names.flatMap((name, at) =>
      name.startsWith(':') ? [[name.slice(1), segments[at] ?? ''] as const] : [],
    )
    return { route: { ...route, serve }, params: Object.fromEntries(params) }
  }
  return undefined
}

/** Finds a record; with a parent, only among its children. @throws MockError 404 */
export function findMember(collection: Collection, id: string, parent?: Parent): JsonRecord {
  const record = collection.get(id)
  if (record && (!parent || childrenOf(parent).includes(record))) return record
  const owner = parent ? ` of "${parent.collection.name}/${parent.id}"` : ''
  throw notFound(`Failed to find "${id}" in "${collection.name}"${owner}.`, collection.name)
}

/** Returns the records that belong to a parent. */
export function childrenOf({ collection, id, related }: Parent): readonly JsonRecord[] {
  const [found = null] = related.follow([findMember(collection, id)])
  return Array.isArray(found) ? found : found === null ? [] : [found]
}

/** Creates the 404 for a path whose start names no resource; lists the known resources. */
export function unknownResource(path: string, data: RoutingData): MockError {
  const { base, resources, rules } = data
  const known = resources
    .names()
    .filter((name) => !ownValue(rules, name)?.nested)
    .map((name) => toWirePath(resourcePath(base, name), data))
  return new MockError(
    `Failed to find "${path}": there is no such resource. ${suggest(path, known)}`,
    { status: 404, code: 'RESOURCE_UNKNOWN', extensions: { resources: known } },
  )
}

/** Creates the 404 for a record or child that does not exist; `missing` is the resource of the record. */
export function notFound(message: string, missing?: string): MockError {
  return new MockError(message, {
    status: 404,
    code: 'NOT_FOUND',
    ...(missing !== undefined && { missing }),
  })
}

/** The encoded path of a resource, with `base`. A slash in the name separates folders and stays. */
export function resourcePath(base: string, name: string): string {
  return `${base}/${encodeURIComponent(name).replaceAll('%2F', '/')}`
}

/** Returns the path by which clients reach a path that names its resource first, as the dialect says. */
export function toWirePath(
  path: string,
  { base, dialect, resources }: Pick<RoutingData, 'base' | 'dialect' | 'resources'>,
): string {
  const below = dialect?.paths?.toWire(path.slice(base.length), resources.names())
  return below === undefined ? path : base + below
}

/** Returns the percent-encoded path of a record, such as `/api/posts/1`. */
export function memberPath(base: string, collection: string, id: string): string {
  return `${resourcePath(base, collection)}/${encodeURIComponent(id)}`
}

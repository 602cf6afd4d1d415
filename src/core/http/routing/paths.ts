import type { Exchange } from '../contract/exchange.ts'
import type { ExtraRoute, Hooks, NamedHooks } from '../contract/hooks.ts'
import type { Route } from '../contract/internals.ts'
import { ownValue } from '../../json/json.ts'
import { methodsOf } from '../pipeline/actions.ts'
import type { Service } from '../contract/service.ts'
import { resourcePath, type Target, toWirePath, unknownResource } from './target.ts'
import { baseName } from '../../text/foreign-keys.ts'
import { singularOf } from '../../text/plurals.ts'
import { isWithin } from '../../url/base.ts'
import type { Dialect, DialectRoute } from '../../dialects/contract/dialect.ts'
import { decode } from '../../url/pattern.ts'

/** Creates the functions that say which paths a mock answers; `rulePaths` are those of rules, below the base. */
export function createPaths(
  service: Service,
  behaviours: readonly (Contributor & Pick<Hooks, 'reroute'>)[],
  dialect: Dialect | undefined,
  rulePaths: () => string[],
): Paths {
  const { base } = service
  const contributors = [...(dialect ? [dialect] : []), ...behaviours]
  const extra = contributors.flatMap(({ routes = [] }) => routes.map(({ path }) => path))

  function reroute(url: string, method?: string): string {
    if (!isWithin(url, base)) return url
    const below = url.slice(base.length)
    return base + behaviours.reduce((to, one) => one.reroute?.(to, method) ?? to, below)
  }

  return {
    routes: () => describeRoutes(service, contributors),
    reroute,
    owns(path, search) {
      const names = service.resources.names()
      const firsts = (dialect?.prefix === undefined ? names : []).map((name) =>
        firstOf(toWirePath(resourcePath(base, name), service)),
      )
      const routes = [...extra, ...rulePaths()]
      const owner = { base, names, firsts, routes, dialect }
      if (ownsPath(path, owner)) return true
      const [rewritten = ''] = reroute(path + search).split('?', 1)
      return rewritten !== path && ownsPath(rewritten, owner)
    },
  }
}

/** The paths that a mock answers. */
export interface Paths {
  /** The route table, for the banner, the home page and `mock.routes`. */
  routes(): Route[]
  /** Whether the mock answers a path with this query. */
  owns(path: string, search: string): boolean
  /**
   * Returns a path and query as behaviours such as `rewrite` change them; both start with the base. Without a
   * method, the rules of all methods apply.
   */
  reroute(url: string, method?: string): string
}

/** The route table: two rows for a collection and each list of children, one for other resources, and further routes. */
function describeRoutes(service: Service, behaviours: readonly Contributor[]): Route[] {
  const { base, store, links, dialect, resources } = service
  const countOf = (name: string): number => {
    const resource = resources.get(name)
    return resource?.kind === 'collection' ? resource.size : resource ? 1 : 0
  }
  const extra = behaviours.flatMap(({ name, routes = [] }) =>
    routes.map(({ methods, path, sockets, resource = name, kind = 'custom' }): Route => {
      const count = countOf(resource)
      const route = { path: base + path, methods: [...methods], resource, kind, count }
      return sockets ? { ...route, sockets } : route
    }),
  )
  if (dialect.hasOwnPaths) return extra
  const own = resources.names().flatMap((name) => {
    const resource = resources.get(name)
    // A prefix has the tables of one schema, so that those of others (`auth/users`) have no path.
    if (!resource || (dialect.prefix !== undefined && name.includes('/'))) return []
    const { kind } = resource
    const path = toWirePath(`${base}${dialect.prefix ?? ''}/${name}`, service)
    // A dialect with a prefix may serve only some of the resources.
    if (dialect.prefix !== undefined && !locates(path.slice(base.length), [name], dialect))
      return []
    const count = kind === 'collection' ? resource.size : 1
    const toRoute = (one: Target['kind'], at: string): Route => {
      return { path: at, methods: methodsOf(one, name, service), resource: name, kind: one, count }
    }
    if (kind !== 'collection' || dialect.prefix !== undefined) return [toRoute(kind, path)]
    // A dialect that handles whole requests has nested paths of its own.
    const children = dialect.serve ? [] : links.childNames(name)
    const nested = children.flatMap((child): Route[] => {
      const related = links.children(name, child)
      if (!related) return []
      const { collection } = related
      const count = store.collection(collection).size
      const toNested = (one: 'collection' | 'member', at: string): Route => {
        const methods = methodsOf(one, collection, service)
        // Only a foreign key can say that a new record belongs to the parent.
        const own = related.relation || one === 'member' ? methods : methods.filter(isNotPost)
        return { path: at, methods: own, resource: collection, kind: one, count, parent: name }
      }
      const member = `${path}/:${parentParameter(name)}/${child}/:id`
      return [toNested('collection', `${path}/:id/${child}`), toNested('member', member)]
    })
    if (ownValue(service.rules, name)?.nested) return nested
    const below = (dialect.memberRoutes ?? []).map(({ methods, path: own }): Route => {
      return {
        path: `${path}/:id/${own}`,
        methods: [...methods],
        resource: name,
        kind: 'custom',
        count,
      }
    })
    return [toRoute(kind, path), toRoute('member', `${path}/:id`), ...nested, ...below]
  })
  return [...own, ...extra]
}

/** Returns the name of the parameter for the id of a parent: `postId` in `/posts/:postId/comments/:id`. */
export function parentParameter(parent: string): string {
  const words = singularOf(baseName(parent)).replaceAll(/\W+(\w?)/g, (_, first: string) =>
    first.toUpperCase(),
  )
  return `${words}Id`
}

function isNotPost(method: string): boolean {
  return method !== 'POST'
}

/** A behaviour or dialect, and the routes that it adds to those of the resources. */
export interface Contributor {
  name: string
  routes?: readonly (ExtraRoute & Pick<DialectRoute, 'resource' | 'kind'>)[]
}

/**
 * Whether a mock answers a path, or leaves it to others, such as the pages of an app: with a `base` every path
 * below it, without one those whose first segment names a resource or begins another route.
 */
function ownsPath(path: string, { base, names, firsts, routes, dialect }: Owner): boolean {
  if (base !== '') return isWithin(path, base)
  const [, first = ''] = path.split('/', 2)
  return (
    routes.some((route) => route.split('/', 2)[1] === first) ||
    firsts.includes(firstOf(path)) ||
    locates(path, names, dialect)
  )
}

/** Returns the first segment of a path, decoded, up to a slash in it. */
function firstOf(path: string): string {
  const [, first = ''] = path.split('/', 2)
  return decode(first).split('/', 1)[0] ?? ''
}

/** The input of `ownsPath`: the base, the resources, the routes and the dialect of a mock. */
interface Owner {
  base: string
  /** The names of the resources. */
  names: readonly string[]
  /** The first segments of the paths of resources. */
  firsts: readonly string[]
  /** The paths of routes and rules, below the base. */
  routes: readonly string[]
  /** A dialect that may have paths of its own. */
  dialect: Pick<Dialect, 'locate'> | undefined
}

function locates(path: string, names: readonly string[], dialect: Owner['dialect']): boolean {
  try {
    const place = dialect?.locate?.({ method: 'GET', headers: {}, path }, names)
    return place !== undefined && names.includes(place.name)
  } catch {
    return false
  }
}

/** The hook that names the resource first in the path of a request, for a dialect with other paths of resources. */
export function createPathHooks(service: Service): NamedHooks[] {
  const { base, dialect, resources } = service
  const { name, paths } = dialect
  if (!paths) return []
  const entry = (exchange: Exchange): undefined => {
    const { path, search, toClientUrl = (url) => url } = exchange
    const named = isWithin(path, base)
      ? paths.toNamed(path.slice(base.length), resources.names())
      : undefined
    if (named === undefined) {
      exchange.notFound = unknownResource(path, service)
      return
    }
    exchange.path = base + named
    exchange.rewritten = exchange.path + search
    exchange.toClientUrl = (url) => {
      const [own = '', query] = url.split(/(?=\?)/, 2)
      return toClientUrl(toWirePath(own, service) + (query ?? ''))
    }
  }
  return [{ name, at: { entry } }]
}

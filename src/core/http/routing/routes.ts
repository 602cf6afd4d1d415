import type { ExtraRoute } from '../contract/hooks.ts'
import type { Route } from '../contract/internals.ts'
import { methodsOf } from '../pipeline/actions.ts'
import type { Service } from '../contract/service.ts'
import type { Target } from './target.ts'

/**
 * Creates the route table of a mock, for its banner, home page and `mock.routes`: two rows for a collection,
 * one for any other resource, and the routes of behaviours and of the dialect.
 */
export function describeRoutes(
  { base, store, readOnly }: Service,
  behaviours: readonly Contributor[],
): Route[] {
  const extra = behaviours.flatMap(({ name, routes = [] }) =>
    routes.map(({ methods, path }): Route => {
      return { path: base + path, methods: [...methods], resource: name, kind: 'custom', count: 0 }
    }),
  )
  const own = [...store.resources.values()].flatMap((resource) => {
    const { kind, name } = resource
    const path = `${base}/${name}`
    const count = kind === 'collection' ? resource.size : 1
    const toRoute = (one: Target['kind'], at: string): Route => {
      return { path: at, methods: methodsOf(one, readOnly), resource: name, kind: one, count }
    }
    const all = [toRoute(kind, path)]
    return kind === 'collection' ? [...all, toRoute('member', `${path}/:id`)] : all
  })
  return [...own, ...extra]
}

/** A behaviour or dialect, and the routes that it adds to those of the resources. */
export interface Contributor {
  name: string
  routes?: readonly ExtraRoute[]
}

import { methodsOf } from './actions.ts'
import type { Service } from './exchange.ts'
import type { Target } from './target.ts'

/** One route of a mock. */
export interface Route {
  /** `/posts`, `/posts/:id` */
  path: string
  methods: string[]
  resource: string
  kind: Target['kind']
  /** How many records the resource has. */
  count: number
}

/** The route table: two rows for a collection, one for anything else. */
export function describeRoutes({ base, store, readOnly }: Service): Route[] {
  return [...store.resources.values()].flatMap((resource): Route[] => {
    const path = `${base}/${resource.name}`
    const count = resource.kind === 'collection' ? resource.size : 1
    const route = (kind: Target['kind'], path: string): Route => ({
      path,
      methods: methodsOf(kind, readOnly),
      resource: resource.name,
      kind,
      count,
    })
    if (resource.kind !== 'collection') return [route(resource.kind, path)]
    return [route('collection', path), route('member', `${path}/:id`)]
  })
}

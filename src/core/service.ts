import { byName, type MockConfig, toBase } from './config.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { Service } from './http/exchange.ts'
import { toLimits } from './http/limits.ts'
import { later } from './http/parts.ts'
import { createPart } from './part.ts'
import type { Random } from './random.ts'
import type { Links } from './store/links.ts'
import type { Store } from './store/store.ts'

/** The dialect of who names none. It is whole once all that answers in it is loaded. */
const rest = { name: 'rest' } as Dialect

const wholeRest = createPart(async () => {
  const [whole] = await Promise.all([import('./dialects/rest.ts'), later.load()])
  return Object.assign(rest, whole.rest)
})

/** Makes what stays the same from request to request. */
export function toService(store: Store, random: Random, config: MockConfig): Service {
  const { strict = false, readOnly = false, preconditions = false } = config
  const { dialect = rest } = config
  let links: Links | undefined
  return {
    base: toBase(config.base),
    dialect,
    store,
    get links() {
      return (links ??= later.get().createLinks(store, config.relations))
    },
    random,
    limits: toLimits(config),
    gate: dialect === rest ? wholeRest : later,
    strict,
    readOnly,
    cacheControl: (resource) => byName(config.cacheControl, resource, 'no-cache'),
    needsPreconditions: (resource) =>
      typeof preconditions === 'boolean' ? preconditions : preconditions.includes(resource),
  }
}

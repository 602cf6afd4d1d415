import { byName, type MockConfig, toBase } from './config.ts'
import { restInParts } from './dialects/rest-in-parts.ts'
import type { Service } from './http/exchange.ts'
import { toLimits } from './http/limits.ts'
import { createGate } from './http/gate.ts'
import { later } from './http/parts.ts'
import type { Random } from './random.ts'
import type { Links } from './store/links.ts'
import type { Store } from './store/store.ts'

/** Makes what stays the same from request to request. */
export function toService(store: Store, random: Random, config: MockConfig): Service {
  const { strict = false, readOnly = false, preconditions = false } = config
  const { dialect = restInParts } = config
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
    gate: createGate([later.load, ...(dialect.prepare ? [dialect.prepare] : [])]),
    strict,
    readOnly,
    cacheControl: (resource) => byName(config.cacheControl, resource, 'no-cache'),
    needsPreconditions: (resource) =>
      typeof preconditions === 'boolean' ? preconditions : preconditions.includes(resource),
  }
}

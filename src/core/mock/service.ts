import type { Dialect } from '../dialects/contract/dialect.ts'
import { rest } from '../dialects/rest/rest.ts'
import type { Service } from '../http/contract/service.ts'
import { toLimits } from '../http/contract/limits.ts'
import { createNamedResources, withViewLinks } from '../http/routing/named-resources.ts'
import { createModified } from '../http/response/last-modified.ts'
import { createLinks } from '../store/relations.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../time/clock.ts'
import type { Random } from '../time/random.ts'
import { toBase } from '../url/base.ts'
import type { CoreConfig } from './core-config.ts'

/** Creates the `Service` of a mock or fork: store, dialect, limits and settings of all requests. */
export function createService(
  store: Store,
  config: CoreConfig,
  { clock, random }: { clock: Clock; random: Random },
): Service {
  const { strict = false, readOnly = false, preconditions = false } = config
  const { relations = {}, foreignKeySuffix } = config
  const dialect: Dialect = config.dialect ?? rest
  return {
    base: toBase(config.base),
    dialect,
    store,
    links: withViewLinks(createLinks(store, relations, foreignKeySuffix), config.rules),
    relations,
    foreignKeySuffix,
    clock,
    random,
    limits: toLimits(config),
    strict,
    readOnly,
    modifiedOf: createModified(store.changes, clock),
    cacheControl: config.cacheControl,
    preconditions,
    resources: createNamedResources(store, config.rules),
    rules: config.rules,
  }
}

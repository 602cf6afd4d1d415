import { optionFor } from '../fixtures/option-for.ts'
import { toBase } from '../url/base.ts'
import type { MockConfig } from './config.ts'
import type { Dialect } from '../dialects/contract/dialect.ts'
import type { Service } from '../http/contract/exchange.ts'
import type { Limits } from '../http/contract/limits.ts'
import type * as Later from './later.ts'
import { createPart, type Part } from '../structures/part.ts'
import type { Random } from '../time/random.ts'
import type { Links } from '../store/relations/links.ts'
import type { Store } from '../store/store.ts'

/** The dialect of who names none. It is whole once what is loaded later is there. */
const rest = { name: 'rest' } as Dialect

/** What no plain read needs. */
export const later: Part<typeof Later> = createPart(async () => {
  const part = await import('./later.ts')
  Object.assign(rest, part.rest)
  return part
})

/** Makes what stays the same from request to request. */
export function toService(store: Store, random: Random, config: MockConfig): Service {
  const { dialect = rest, strict = false, readOnly = false, preconditions = false } = config
  let links: Links | undefined
  let limits: Limits | undefined
  return {
    base: toBase(config.base),
    dialect,
    store,
    get links() {
      return (links ??= later.get().createLinks(store, config.relations))
    },
    random,
    get limits() {
      return (limits ??= later.get().toLimits(config))
    },
    strict,
    readOnly,
    cacheControl: (resource) => optionFor(config.cacheControl, resource, 'no-cache'),
    preconditions,
  }
}

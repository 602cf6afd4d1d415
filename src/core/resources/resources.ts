import { invalid } from '../behaviours/shared/invalid.ts'
import { checkNames } from '../behaviours/shared/resources.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { createRequestState, type Write } from '../http/contract/exchange.ts'
import { createDerivedViews } from './derived-view.ts'
import type { ResourceOptions } from './options.ts'

/** Creates the behaviour of the option `resources`, which runs before all others. */
export function createResources(resources: Readonly<Record<string, ResourceOptions>>): Behaviour {
  const checkStore = checkNames('resources', Object.keys(resources))
  return {
    name: 'resources',
    create(world) {
      checkStore(world)
      const derived = createDerivedViews(resources, world)
      // Reported at `check`, after behaviours such as `auth` have refused the write with 403.
      const refused = createRequestState<Map<Write, readonly string[]>>()
      return {
        ...(!derived.isEmpty && {
          view: derived.viewOf,
          describe: () => ({ records: derived.describe() }),
          beforeWrite(write, exchange) {
            const { computed, embedded } = derived.removeDerived(write, exchange)
            const { strict } = exchange.service
            if (strict && computed.length > 0) {
              const byWrite = refused.get(exchange) ?? new Map<Write, readonly string[]>()
              refused.set(exchange, byWrite.set(write, computed))
            } else if (computed.length > 0) {
              exchange.reasons.push(`ignored ${computed.join(', ')}: computed`)
            }
            if (embedded.length > 0) {
              exchange.reasons.push(`ignored ${embedded.join(', ')}: embedded`)
            }
          },
          check(write, exchange) {
            const names = refused.get(exchange)?.get(write) ?? []
            if (names.length === 0) return
            const issues = names.map((name) => ({ path: [name], message: 'is computed' }))
            throw invalid(write, issues, exchange)
          },
        }),
      }
    },
  }
}

import { invalid } from '../behaviours/shared/invalid.ts'
import { checkNames } from '../behaviours/shared/resources.ts'
import type { Behaviour, MockContext } from '../http/contract/behaviour.ts'
import { createRequestState, type Write, type WriteHook } from '../http/contract/exchange.ts'
import type { Hooks } from '../http/contract/hooks.ts'
import { ownValue } from '../json/json.ts'
import { createDerivedViews } from './derived-view.ts'
import { applyFilters } from './filters.ts'
import type { ResourceOptions } from './options.ts'
import { createRecordActions } from './record-actions.ts'
import { createSlugs } from './slug.ts'

/** Creates the behaviour of the option `resources`, which runs before all others. An unused option adds no hook. */
export function createResources(resources: Readonly<Record<string, ResourceOptions>>): Behaviour {
  const checkStore = checkNames('resources', Object.keys(resources))
  const uses = (option: keyof ResourceOptions): boolean =>
    Object.values(resources).some((own) => own[option] !== undefined)
  return {
    name: 'resources',
    create(world) {
      checkStore(world)
      const actions = createRecordActions(resources)
      const { describe, ...hooks } = createRecordHooks(resources, uses, world)
      return {
        ...hooks,
        ...(uses('slug') && { write: createSlugHook(resources) }),
        ...(actions && { at: { resource: actions.answer }, routes: actions.routes }),
        describe: () => ({ ...describe?.(), ...(actions && { routes: actions.describe }) }),
      }
    },
  }
}

function createSlugHook(resources: Readonly<Record<string, ResourceOptions>>): WriteHook {
  const setSlug = createSlugs()
  return (write, exchange, writes) => {
    const slug = ownValue(resources, write.resource.name)?.slug
    if (slug !== undefined) setSlug(write, slug, exchange, writes)
  }
}

/** The hooks of computed fields, embedded records and filters. */
function createRecordHooks(
  resources: Readonly<Record<string, ResourceOptions>>,
  uses: (option: keyof ResourceOptions) => boolean,
  world: MockContext,
): Hooks {
  const derived = createDerivedViews(resources, world)
  // Reported at `check`, after behaviours such as `auth` have refused the write with 403.
  const refused = createRequestState<Map<Write, readonly string[]>>()
  if (derived.isEmpty && !uses('filters')) return {}
  return {
    view(name, exchange) {
      // The empty view keeps indexes out, which know nothing of related records.
      const hasFilters = ownValue(resources, name)?.filters !== undefined
      return derived.viewOf(name, exchange) ?? (hasFilters ? {} : undefined)
    },
    list(asked, exchange) {
      const { name = '' } = exchange.target?.resource ?? {}
      const own = ownValue(resources, name)
      if (own?.filters) applyFilters(asked, name, own, exchange, derived.valuesOf(exchange))
    },
    describe: () => ({ records: derived.describe() }),
    beforeWrite(write, exchange) {
      const { computed, embedded } = derived.removeDerived(write, exchange)
      if (exchange.service.strict && computed.length > 0) {
        const byWrite = refused.get(exchange) ?? new Map<Write, readonly string[]>()
        refused.set(exchange, byWrite.set(write, computed))
      } else if (computed.length > 0) {
        exchange.reasons.push(`ignored ${computed.join(', ')}: computed`)
      }
      if (embedded.length > 0) exchange.reasons.push(`ignored ${embedded.join(', ')}: embedded`)
    },
    check(write, exchange) {
      const names = refused.get(exchange)?.get(write) ?? []
      if (names.length === 0) return
      const issues = names.map((name) => ({ path: [name], message: 'is computed' }))
      throw invalid(write, issues, exchange)
    },
  }
}

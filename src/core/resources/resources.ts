import { invalid } from '../behaviours/shared/invalid.ts'
import { checkNames } from '../behaviours/shared/resources.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { Description } from '../http/contract/description.ts'
import { createRequestState, type Write } from '../http/contract/exchange.ts'
import type { Hooks } from '../http/contract/hooks.ts'
import { define, ownValue } from '../json/json.ts'
import {
  createDerivedViews,
  type DerivedViews,
  hiddenField,
  withoutFields,
} from './derived-view.ts'
import { applyFilters } from './filters.ts'
import type { ResourceOptions } from './options.ts'
import { createRecordActions } from './record-actions.ts'
import { createSlugs } from './slug.ts'

/** Creates the behaviour of the option `resources`, which runs before all others. An unused option adds no hook. */
export function createResources(resources: Readonly<Record<string, ResourceOptions>>): Behaviour {
  const stored = Object.entries(resources).filter(([, own]) => !own.view && !own.distinct)
  const checkStore = checkNames(
    'resources',
    stored.map(([name]) => name),
  )
  const uses = (option: keyof ResourceOptions): boolean =>
    Object.values(resources).some((own) => own[option] !== undefined)
  return {
    name: 'resources',
    create(world) {
      checkStore(world)
      const actions = createRecordActions(resources, world.clock)
      const derived = createDerivedViews(resources, world)
      const { publish } = derived
      const { describe, beforeWrite, ...hooks } = createRecordHooks(resources, uses, derived)
      const hidden = uses('hidden')
      return {
        ...hooks,
        ...((beforeWrite || hidden) && {
          beforeWrite(write, exchange, writes) {
            if (hidden) keepHidden(write, ownValue(resources, write.resource.name))
            return beforeWrite?.(write, exchange, writes)
          },
        }),
        ...((hidden || uses('computed')) && {
          publish: (name, record) =>
            withoutFields(publish(name, record), ownValue(resources, name)?.hidden ?? []),
        }),
        ...(uses('slug') && { write: createSlugs(resources) }),
        ...(actions && { at: { resource: actions.answer }, routes: actions.routes }),
        describe() {
          const { records } = describe?.() ?? {}
          return {
            records: hidden ? describeHidden(resources, records) : (records ?? {}),
            ...(actions && { routes: actions.describe }),
          }
        },
      }
    },
  }
}

/** Keeps hidden fields in a PUT, whose client has never received them. */
function keepHidden(write: Write, { hidden = [] }: ResourceOptions = {}): void {
  const { previous, record, action } = write
  if (action !== 'replace' || !previous || !record) return
  const missing = hidden.filter(
    (field) => !Object.hasOwn(record, field) && Object.hasOwn(previous, field),
  )
  if (missing.length === 0) return
  write.record = { ...record }
  for (const field of missing) define(write.record, field, previous[field])
}

/** Adds that requests can set hidden fields, and no response has them. */
function describeHidden(
  resources: Readonly<Record<string, ResourceOptions>>,
  records: Description['records'] = {},
): NonNullable<Description['records']> {
  const all = Object.entries(resources).map(([name, { hidden = [] }]) => {
    const fields = hidden.map((field) => [field, hiddenField] as const)
    const before = ownValue(records, name)
    return [name, { ...before, fields: { ...before?.fields, ...Object.fromEntries(fields) } }]
  })
  return Object.fromEntries(all) as NonNullable<Description['records']>
}

/** The hooks of computed fields, embedded records and filters. */
function createRecordHooks(
  resources: Readonly<Record<string, ResourceOptions>>,
  uses: (option: keyof ResourceOptions) => boolean,
  derived: DerivedViews,
): Hooks {
  // Reported at `check`, after behaviours such as `auth` have refused the write with 403.
  const refused = createRequestState<Map<Write, readonly string[]>>()
  if (derived.isEmpty && !uses('filters')) return {}
  return {
    ...(!derived.isEmpty && { view: derived.viewOf }),
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
      if (names.length === 0) return derived.checkFunctions(write, exchange)
      const issues = names.map((name) => ({ path: [name], message: 'is computed' }))
      throw invalid(write, issues, exchange)
    },
  }
}

import { invalid } from '../behaviours/shared/invalid.ts'
import { checkNames } from '../behaviours/shared/resources.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { Description } from '../http/contract/description.ts'
import {
  createRequestState,
  type Write,
  type Exchange,
  type WriteHook,
} from '../http/contract/exchange.ts'
import type { Hooks } from '../http/contract/hooks.ts'
import { define, ownValue, type JsonRecord } from '../json/json.ts'
import {
  createDerivedViews,
  type DerivedViews,
  hiddenField,
  withoutFields,
} from './derived-view.ts'
import { applyFilters } from './filters.ts'
import type { ResourceOptions, SlugOptions } from './options.ts'
import { createRecordActions } from './record-actions.ts'
import { findByText } from '../store/find-by-text.ts'
import type { Collection } from '../store/records/collection.ts'
import { baseName } from '../text/foreign-keys.ts'
import { toSlug } from '../text/slug.ts'
import { singularOf } from '../text/plurals.ts'

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

function createSlugs(resources: Readonly<Record<string, ResourceOptions>>): WriteHook {
  /** The slugs of the other records in a request, which a POST of a list gives. */
  const taken = createRequestState<{ writes: readonly Write[]; slugs: Set<string> }>()

  function takenIn(writes: readonly Write[], exchange: Exchange): Set<string> {
    const known = taken.get(exchange)
    // The request plans its writes again when the data has changed.
    if (known?.writes === writes) return known.slugs
    const slugs = new Set<string>()
    taken.set(exchange, { writes, slugs })
    return slugs
  }

  return (write, exchange, writes) => {
    const { resource, previous, record, action } = write
    const option = ownValue(resources, resource.name)?.slug
    if (option === undefined || resource.kind !== 'collection' || !record || action === 'remove')
      return
    const { from, follow, field } = toSlugOptions(option, resource)
    const text = ownValue(record, from)
    const before = previous && ownValue(previous, field)
    const isSame = previous !== undefined && text === ownValue(previous, from)
    const given = ownValue(record, field) ?? ''
    const isNew = previous === undefined || (follow && !isSame)
    if (!isNew && (given !== '' || before === undefined)) return
    if (previous === undefined && given !== '') return
    const isId = field === resource.idField
    const others = takenIn(writes, exchange)
    const slug = isNew
      ? freeSlug(slugOf(text) || singularOf(baseName(resource.name)), (one) => {
          // The path of another resource, such as a view, would hide the record.
          const isPath =
            isId && exchange.service.resources.get(`${resource.name}/${one}`) !== undefined
          return others.has(one) || isPath || isTaken(resource, field, one, previous)
        })
      : (before ?? '')
    if (typeof slug === 'string') others.add(slug)
    write.record = { ...record }
    define(write.record, field, slug)
    if (isId && previous && slug !== before) write.isRenamed = true
  }
}

/** Fills in the defaults of the option `slug`. */
function toSlugOptions(
  option: string | SlugOptions,
  { idField }: Pick<Collection, 'idField'>,
): Required<SlugOptions> {
  const given = typeof option === 'string' ? { from: option } : option
  return { field: idField === 'id' ? 'slug' : idField, follow: false, ...given }
}

function slugOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? toSlug(String(value)) : ''
}

/** Returns the slug, or the slug with a number that no record has: the lowest, if the numbers have no gaps. */
function freeSlug(slug: string, isTakenSlug: (slug: string) => boolean): string {
  if (!isTakenSlug(slug)) return slug
  const isTakenNumber = (number: number): boolean => isTakenSlug(`${slug}-${number}`)
  // Doubles the number until it is free, and halves the distance to a taken number, as thousands can have one title.
  let free = 2
  while (isTakenNumber(free)) free *= 2
  for (let taken = free / 2; free - taken > 1;) {
    const middle = (free + taken) >> 1
    if (isTakenNumber(middle)) taken = middle
    else free = middle
  }
  return `${slug}-${free}`
}

function isTaken(
  resource: Collection,
  field: string,
  slug: string,
  previous: JsonRecord | undefined,
): boolean {
  return findByText(resource, field, slug).some((record) => record !== previous)
}

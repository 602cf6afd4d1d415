import {
  createRequestState,
  type Exchange,
  type Write,
  type WriteHook,
} from '../http/contract/exchange.ts'
import { define, type JsonRecord, ownValue } from '../json/json.ts'
import { findByText } from '../store/find-by-text.ts'
import type { Collection } from '../store/records/collection.ts'
import { baseName } from '../text/foreign-keys.ts'
import { toSlug } from '../text/slug.ts'
import { singularOf } from '../text/plurals.ts'
import type { ResourceOptions, SlugOptions } from './options.ts'

/** Creates the hook that sets the slugs of records to be written. */
export function createSlugs(resources: Readonly<Record<string, ResourceOptions>>): WriteHook {
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

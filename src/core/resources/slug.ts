import { createRequestState, type Exchange, type Write } from '../http/contract/exchange.ts'
import { define, type JsonRecord, ownValue } from '../json/json.ts'
import type { Collection } from '../store/records/collection.ts'
import { baseName } from '../text/foreign-keys.ts'
import { singularOf } from '../text/plurals.ts'
import type { SlugOptions } from './options.ts'

/** Creates the function that sets the slugs of records to be written. */
export function createSlugs(): SetSlug {
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

  return (write, option, exchange, writes) => {
    const { resource, previous, record, action } = write
    if (resource.kind !== 'collection' || !record || action === 'remove') return
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
      ? freeSlug(toSlug(text) || singularOf(baseName(resource.name)), (one) => {
          return others.has(one) || isTaken(resource, field, one, previous)
        })
      : (before ?? '')
    if (typeof slug === 'string') others.add(slug)
    write.record = { ...record }
    define(write.record, field, slug)
    if (isId && previous && slug !== before) write.isRenamed = true
  }
}

/** Sets the slug of a record to be written, if the write makes one. */
type SetSlug = (
  write: Write,
  option: string | SlugOptions,
  exchange: Exchange,
  writes: readonly Write[],
) => void

/** Fills in the defaults of the option `slug`. */
export function toSlugOptions(
  option: string | SlugOptions,
  { idField }: Pick<Collection, 'idField'>,
): Required<SlugOptions> {
  const given = typeof option === 'string' ? { from: option } : option
  return { field: idField === 'id' ? 'slug' : idField, follow: false, ...given }
}

/** Returns a text as part of a URL: lower case, words joined by hyphens, without accents of Latin letters. */
export function toSlug(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const plain = String(value)
    .normalize('NFD')
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþ]/g, (letter) => latin[letter] ?? letter)
    .replaceAll(/['’]/g, '')
  const words = plain.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  return words
    .join('-')
    .slice(0, MAX_LENGTH)
    .replace(/[-\p{Cs}]+$/u, '')
}

/** The longest slug that a title makes, in characters. */
const MAX_LENGTH = 200

/** Latin letters that are no letter with an accent. */
const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
}

function freeSlug(slug: string, isTakenSlug: (slug: string) => boolean): string {
  if (!isTakenSlug(slug)) return slug
  for (let number = 2; ; number++) {
    if (!isTakenSlug(`${slug}-${number}`)) return `${slug}-${number}`
  }
}

function isTaken(
  resource: Collection,
  field: string,
  slug: string,
  previous: JsonRecord | undefined,
): boolean {
  if (field === resource.idField) {
    const record = resource.get(slug)
    return record !== undefined && record !== previous
  }
  return resource.records().some((one) => one !== previous && ownValue(one, field) === slug)
}

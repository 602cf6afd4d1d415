import { toSlug } from '../text/slug.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../json/json.ts'

/**
 * Finds how a text field follows from another field of the same record, such as a slug from a title or an e-mail
 * address from a name, if the records agree. Returns undefined for a field that follows from no other.
 */
export function findDerivation(
  records: readonly JsonRecord[],
  field: string,
): Derivation | undefined {
  const known = records.filter((record) => typeof record[field] === 'string')
  const [first] = known
  if (!first || known.length < 2) return undefined
  for (const source of Object.keys(first)) {
    if (source === field) continue
    const pairs = known.flatMap((record): [string, string][] => {
      const [from, to] = [ownValue<Json>(record, source), ownValue<Json>(record, field)]
      return typeof from === 'string' && typeof to === 'string' && /\p{L}/u.test(from)
        ? [[from, to]]
        : []
    })
    if (pairs.length < 2 || new Set(pairs.map(([from]) => from)).size < 2) continue
    for (const form of forms) {
      const end = endOf(form, pairs)
      if (end !== undefined) return { source, derive: (text) => form(text) + end }
    }
  }
  return undefined
}

/** How a field follows from another. */
export interface Derivation {
  /** The field from which the other follows. */
  source: string
  derive(text: string): string
}

/** The usual end of the derived texts, such as `@example.org`; undefined if most texts are derived in another way. */
function endOf(form: Form, pairs: readonly [from: string, to: string][]): string | undefined {
  const ends = new Map<string, number>()
  for (const [from, to] of pairs) {
    const start = form(from)
    if (start === '' || !to.startsWith(start)) continue
    const end = to.slice(start.length)
    if (end === '' || /^@[^@\s]+$/.test(end)) ends.set(end, (ends.get(end) ?? 0) + 1)
  }
  const [usual] = [...ends].sort(([, one], [, other]) => other - one)
  return usual && usual[1] >= pairs.length * 0.6 ? usual[0] : undefined
}

type Form = (text: string) => string

/** The forms in which a text appears in another field; the first that fits counts. */
const forms: readonly Form[] = [
  toSlug,
  (text) => toSlug(text).replaceAll('-', '_'),
  (text) => toSlug(text).replaceAll('-', '.'),
  (text) => toSlug(text).replaceAll('-', ''),
  (text) => text,
  (text) => wordsOf(text)[0] ?? '',
  (text) => wordsOf(text).at(-1) ?? '',
  (text) => `${wordsOf(text)[0]?.[0] ?? ''}${wordsOf(text).slice(1).join('')}`,
  (text) =>
    wordsOf(text)
      .map(([letter]) => letter)
      .join(''),
]

function wordsOf(text: string): string[] {
  return toSlug(text).split('-')
}

/**
 * Finds the fields that repeat a field of the record to which the key `key` leads, such as the name of a product in
 * the items of an order. Returns pairs of the field and the field of the other record.
 */
export function findCopies(
  holders: readonly JsonRecord[],
  key: string,
  targetOf: (id: Json) => JsonRecord | undefined,
): [field: string, from: string][] {
  const pairs = holders.flatMap((holder): [JsonRecord, JsonRecord][] => {
    const target = targetOf(holder[key] ?? null)
    return isRecord(target) ? [[holder, target]] : []
  })
  const [first] = pairs
  if (!first || pairs.length < 3) return []
  return Object.keys(first[0]).flatMap((field): [string, string][] => {
    const values = new Set(pairs.map(([holder]) => holder[field]))
    if (field === key || values.size < 3) return []
    const from = Object.keys(first[1]).find(
      (name) =>
        typeof first[1][name] !== 'object' &&
        pairs.every(([holder, target]) => holder[field] === target[name]),
    )
    return from === undefined ? [] : [[field, from]]
  })
}

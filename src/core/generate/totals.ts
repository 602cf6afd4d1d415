import { define, isRecord, type Json, type JsonRecord } from '../json/json.ts'

/**
 * Finds numbers of a record that are a total over a list in it, if that holds for all examples: the number of its
 * items, the sum of a field, or of the product of two fields (`quantity` times `unitPrice`). Returns functions that set
 * the totals of a new record.
 */
export function findTotals(examples: readonly JsonRecord[]): ((record: JsonRecord) => void)[] {
  const [first] = examples
  if (!first || examples.length < 3) return []
  const places = Object.entries(first).flatMap(([key, value]): string[][] => {
    if (typeof value === 'number') return [[key]]
    if (!isRecord(value)) return []
    return Object.keys(value).flatMap((inner) =>
      typeof value[inner] === 'number' ? [[key, inner]] : [],
    )
  })
  const lists = Object.keys(first).filter((key) =>
    examples.every((example) => Array.isArray(example[key])),
  )
  return lists.flatMap((list) => {
    const formulas = formulasOf(examples.flatMap((example) => example[list] as Json[]))
    return places.flatMap((place) => {
      const found = formulas.find((formula) =>
        isTotal(examples, place, (example) => formula(itemsOf(example, list))),
      )
      if (!found) return []
      return [(record: JsonRecord) => setAt(record, place, found(itemsOf(record, list)))]
    })
  })
}

/** Sets the total of a record without examples by the names of its fields: `total` over `lines[].amount`. */
export function setNamedTotal(record: JsonRecord): void {
  const total = Object.keys(record).find((key) => /^(?:grand_?)?total(?:_?amount)?$/i.test(key))
  const list = Object.values(record).find((value) => Array.isArray(value) && value.some(isRecord))
  if (total === undefined || typeof record[total] !== 'number' || !Array.isArray(list)) return
  const [first] = list
  const numeric = Object.keys(isRecord(first) ? first : {}).filter((key) =>
    list.every((item) => isRecord(item) && typeof item[key] === 'number'),
  )
  const price = numeric.find((key) => /(?:price|amount|cost|total)$/i.test(key))
  const quantity = numeric.find((key) => /^(?:quantity|qty)$/i.test(key))
  if (price === undefined) return
  const isSum = /^(?:line_?|sub_?)?(?:total|amount)$/i.test(price)
  const fields = quantity === undefined || isSum ? [price] : [price, quantity]
  define(record, total, sumOf(list, fields))
}

type Formula = (items: readonly Json[]) => number

function formulasOf(items: readonly Json[]): Formula[] {
  const [first] = items
  const count: Formula = (list) => list.length
  if (!isRecord(first)) return [count]
  const numeric = Object.keys(first).filter((key) => typeof first[key] === 'number')
  const sum =
    (...fields: string[]): Formula =>
    (list) =>
      sumOf(list, fields)
  const pairs = numeric.flatMap((a, at) => numeric.slice(at + 1).map((b) => sum(a, b)))
  return [...pairs, ...numeric.map((field) => sum(field)), count]
}

/** Sums the product of some fields over a list, to the cent. */
function sumOf(list: readonly Json[], fields: readonly string[]): number {
  const productOf = (item: Json): number =>
    fields.reduce((product, field) => product * (isRecord(item) ? Number(item[field]) : 0), 1)
  return Number(list.reduce<number>((total, item) => total + productOf(item), 0).toFixed(2))
}

function itemsOf(record: JsonRecord, list: string): Json[] {
  const items = record[list]
  return Array.isArray(items) ? items : []
}

/** Whether a number is a total in every example; a number that never changes proves nothing. */
function isTotal(
  examples: readonly JsonRecord[],
  place: readonly string[],
  formula: (example: JsonRecord) => number,
): boolean {
  const values = examples.map((example) =>
    place.reduce<Json | undefined>(
      (value, key) => (isRecord(value) ? value[key] : undefined),
      example,
    ),
  )
  if (new Set(values).size < 3) return false
  return examples.every((example, at) => Math.abs(Number(values[at]) - formula(example)) < 0.005)
}

function setAt(record: JsonRecord, [key = '', inner]: readonly string[], value: number): void {
  if (inner === undefined) return define(record, key, value)
  const object = record[key]
  if (isRecord(object)) define(object, inner, value)
}

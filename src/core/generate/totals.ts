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

/**
 * Sets the totals of a record without examples by the names of its fields: `amount` of `lines` is the product of
 * `quantity` and `unitPrice`, `subtotal` their sum, `tax` a fifth of it, and `total` all together.
 */
export function setNamedTotals(record: JsonRecord): void {
  const keyOf = (pattern: RegExp, one: JsonRecord = record): string | undefined =>
    Object.keys(one).find((key) => pattern.test(key) && typeof one[key] === 'number')
  const given = Object.values(record).find((value) => Array.isArray(value) && value.some(isRecord))
  const items = Array.isArray(given) ? given.filter(isRecord) : []
  const [first = {}] = items
  const [quantity, price, amount] = [
    /^(?:quantity|qty)$/i,
    /(?:price|cost|fee)$/i,
    /^(?:line_?|sub_?)?(?:total|amount)$/i,
  ].map((pattern) => keyOf(pattern, first))
  const factors = price === undefined ? [] : quantity === undefined ? [price] : [price, quantity]
  if (amount !== undefined && factors.length === 2) {
    for (const item of items) define(item, amount, sumOf([item], factors))
  }
  const fields = amount === undefined ? factors : [amount]
  const [subtotal, tax, total] = [
    /^(?:sub_?total|net(?:_?(?:amount|total))?)$/i,
    /^(?:tax|vat)(?:_?amount)?$/i,
    /^(?:grand_?)?total(?:_?amount)?$/i,
  ].map((pattern) => keyOf(pattern))
  if (total === undefined || (fields.length === 0 && subtotal === undefined)) return
  const sum = fields.length > 0 ? sumOf(items, fields) : Number(record[subtotal ?? total])
  const rounded = (key: string, value: number): number =>
    Number(value.toFixed(Number.isInteger(record[key]) ? 0 : 2))
  if (subtotal !== undefined) define(record, subtotal, sum)
  if (tax !== undefined) define(record, tax, rounded(tax, sum / 5))
  const extras = [tax, keyOf(/^shipping(?:_?(?:cost|amount|fee))?$/i)].map((key) =>
    key === undefined ? 0 : Number(record[key]),
  )
  define(record, total, Number(extras.reduce((all, extra) => all + extra, sum).toFixed(2)))
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

import {
  type Facts,
  type FieldFacts,
  type Kind,
  type TextFacts,
  forbidden,
  allowed,
  type Tally,
} from './facts.ts'

/** Returns the facts of values that satisfy two schemas, as with `allOf`; undefined facts allow every value. */
export function intersect(a: Facts | undefined, b: Facts | undefined): Facts | undefined {
  if (!a || !b) return a ?? b
  const kinds = [...a.kinds].filter(([kind]) => b.kinds.has(kind))
  const texts = a.texts && b.texts ? intersectTexts(a.texts, b.texts) : (a.texts ?? b.texts)
  const fields = intersectFields(a.fields, b.fields)
  return {
    nulls: stricter(a.nulls, b.nulls),
    kinds: new Map(kinds),
    fractions: stricter(a.fractions, b.fractions),
    ...(texts && { texts }),
    ...(fields && { fields }),
    isOpen: a.isOpen === true || b.isOpen === true,
    values: both(a.values, b.values, intersect),
    items: both(a.items, b.items, intersect),
    declaredAt: a.declaredAt ?? b.declaredAt,
    example: a.example ?? b.example,
  }
}

/** Returns the facts of values that satisfy any of several schemas; undefined for every value. */
export function unite(all: readonly (Facts | undefined)[]): Facts | undefined {
  const known = all.flatMap((one) => one ?? [])
  const [first] = known
  if (!first || known.length < all.length) return undefined
  if (known.length === 1) return first
  const names = new Set(known.flatMap((one) => [...one.kinds.keys()]))
  const kinds = new Map<Kind, Tally | undefined>(
    [...names].map((kind) => [kind, names.size === 1 ? first.kinds.get(kind) : undefined]),
  )
  const objects = known.filter((one) => one.kinds.has('object'))
  const texts = known.flatMap((one) => one.texts ?? [])
  const fields = uniteFields(objects)
  const numbers = known.filter((one) => one.kinds.has('number'))
  return {
    nulls: anyOf(known.map((one) => one.nulls)),
    kinds,
    fractions: numbers.every((one) => one.fractions === forbidden) ? forbidden : undefined,
    ...(texts.length > 0 && { texts: uniteTexts(texts) }),
    ...(fields && { fields }),
    isOpen: objects.some((one) => one.isOpen),
    values: uniteInner(objects.map((one) => one.values)),
    items: uniteInner(known.filter((one) => one.kinds.has('array')).map((one) => one.items)),
    declaredAt: first.declaredAt,
    example: known.find((one) => one.example !== undefined)?.example,
  }
}

type Inner = (() => Facts | undefined) | undefined

function both(
  a: Inner,
  b: Inner,
  combine: (a: Facts | undefined, b: Facts | undefined) => Facts | undefined,
): Inner {
  return a && b ? () => combine(a(), b()) : (a ?? b)
}

function uniteInner(all: readonly Inner[]): Inner {
  const known = all.flatMap((inner) => inner ?? [])
  return known.length > 0 && known.length === all.length
    ? () => unite(known.map((inner) => inner()))
    : undefined
}

function stricter(a: Tally | undefined, b: Tally | undefined): Tally | undefined {
  return a === forbidden || b === forbidden ? forbidden : (a ?? b)
}

/** Combines the tallies of alternative schemas: whether any allows a property; undefined if a schema doesn't decide. */
function anyOf(all: readonly (Tally | undefined)[]): Tally | undefined {
  if (all.includes(allowed)) return allowed
  return all.includes(undefined) ? undefined : forbidden
}

function intersectTexts(a: TextFacts, b: TextFacts): TextFacts {
  return {
    count: Infinity,
    format: a.format ?? b.format,
    without: (format) => stricter(a.without(format), b.without(format)),
    choices: a.choices ?? b.choices,
    tallyOf: (text) => stricter(a.tallyOf(text), b.tallyOf(text)),
  }
}

function uniteTexts(all: readonly TextFacts[]): TextFacts {
  const [format] = all.map((one) => one.format)
  const choices = all.flatMap((one) => (one.choices ? [one.choices] : []))
  return {
    count: Infinity,
    ...(all.every((one) => one.format === format) && { format }),
    without: (name) => anyOf(all.map((one) => one.without(name))),
    ...(choices.length === all.length && {
      choices: new Map(choices.flatMap((one) => [...one])),
    }),
    tallyOf: (text) => anyOf(all.map((one) => one.tallyOf(text))),
  }
}

function intersectFields(a: Facts['fields'], b: Facts['fields']): Facts['fields'] {
  if (!a || !b) return a ?? b
  const fields = new Map(a)
  for (const [name, field] of b) {
    const other = a.get(name)
    fields.set(name, other ? intersectField(other, field) : field)
  }
  return fields
}

function intersectField(a: FieldFacts, b: FieldFacts): FieldFacts {
  return {
    present: a.present ?? b.present,
    absent: stricter(a.absent, b.absent),
    facts: () => intersect(a.facts(), b.facts()),
  }
}

function uniteFields(objects: readonly Facts[]): Facts['fields'] {
  if (objects.length === 0 || objects.some((one) => !one.fields)) return undefined
  const names = new Set(objects.flatMap((one) => [...(one.fields?.keys() ?? [])]))
  const fields = new Map<string, FieldFacts>()
  for (const name of names) {
    const all = objects.flatMap((one) => one.fields?.get(name) ?? [])
    const isCommon = all.length === objects.length
    const [first] = all.map((one) => one.absent)
    fields.set(name, {
      present: isCommon ? allowed : undefined,
      absent: isCommon && all.every((one) => one.absent === first) ? first : undefined,
      facts: () => unite(all.map((one) => one.facts())),
    })
  }
  return fields
}

/** Overrides the facts from records with those that a schema declares, field by field. */
export function override(
  observed: Facts | undefined,
  declared: Facts | undefined,
): Facts | undefined {
  if (!observed || !declared) return observed ?? declared
  const { texts, fields, isOpen, values, items } = declared
  const allTexts = texts ?? observed.texts
  const allFields = fields ? overrideFields(observed.fields ?? new Map(), fields) : observed.fields
  const inner = (own: Facts['items'], other: Facts['items']): Facts['items'] =>
    own && other ? () => override(own(), other()) : (own ?? other)
  return {
    nulls: declared.nulls,
    kinds: declared.kinds,
    fractions: declared.fractions,
    ...(allTexts && { texts: allTexts }),
    ...(allFields && { fields: allFields }),
    isOpen: isOpen === true,
    values: inner(observed.values, values),
    items: inner(observed.items, items),
  }
}

function overrideFields(
  observed: ReadonlyMap<string, FieldFacts>,
  declared: ReadonlyMap<string, FieldFacts>,
): ReadonlyMap<string, FieldFacts> {
  const fields = new Map(observed)
  for (const [name, { absent, facts }] of declared) {
    const known = observed.get(name)
    fields.set(name, {
      present: known?.present ?? (absent === forbidden ? allowed : undefined),
      absent,
      facts: () => override(known?.facts(), facts()),
    })
  }
  return fields
}

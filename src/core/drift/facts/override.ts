import type { Facts, FieldFacts } from './facts.ts'
import { never, sometimes } from './tally.ts'

/**
 * Overrides the facts that the records of the fixtures show with the facts that a schema declares, field by
 * field: a declaration wins over what is inferred from records.
 */
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
      present: known?.present ?? (absent === never ? sometimes : undefined),
      absent,
      facts: () => override(known?.facts(), facts()),
    })
  }
  return fields
}

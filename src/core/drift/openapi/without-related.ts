import { baseName } from '../../text/foreign-keys.ts'
import { isPluralOf } from '../../text/plurals.ts'
import type { Facts, FieldFacts } from '../facts/facts.ts'

/**
 * Returns the facts of a record in which the presence of fields with related records is open: a document
 * describes such fields as optional, because only a request with a parameter such as `_embed` gets them.
 */
export function withoutRelated(
  facts: Facts | undefined,
  resources: readonly string[],
): Facts | undefined {
  const { fields } = facts ?? {}
  if (!facts || !fields) return facts
  const isRelated = (name: string, { absent, facts }: FieldFacts): boolean => {
    const kinds = facts()?.kinds
    if (absent || !(kinds?.has('object') || kinds?.has('array'))) return false
    const isKey = fields.has(`${name}Id`) || fields.has(`${name}_id`)
    return isKey || resources.map(baseName).some((one) => one === name || isPluralOf(one, name))
  }
  const open = [...fields].map(([name, field]): [string, FieldFacts] => [
    name,
    isRelated(name, field) ? { ...field, present: undefined } : field,
  ])
  return { ...facts, fields: new Map(open) }
}

import { baseName } from '../../text/foreign-keys.ts'
import { isPluralOf } from '../../text/plurals.ts'
import type { Facts, FieldFacts } from '../facts/facts.ts'

/**
 * The facts of a record where fields with related records are open: a document describes them as optional, and a
 * request asks for them by a parameter such as `_embed`.
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

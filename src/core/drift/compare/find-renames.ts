import type { Facts } from '../facts/facts.ts'
import { describeKinds } from './compare-types.ts'
import type { LoneField } from './finding.ts'

/**
 * Finds renamed fields: pairs fields that one side lacks with fields that the other side lacks. Two fields are
 * a pair if their names differ only in case and punctuation (`createdAt`, `created_at`), or if they are the
 * only two fields of their kind, which all objects have or which some objects lack on both sides.
 */
export function findRenames(
  gone: readonly LoneField[],
  added: readonly LoneField[],
): Map<LoneField, LoneField> {
  const pairs = new Map<LoneField, LoneField>()
  const left = new Set(added)
  const pairWithOnly = (from: LoneField, candidates: readonly LoneField[]): void => {
    const [to, second] = candidates
    if (!to || second) return
    pairs.set(from, to)
    left.delete(to)
  }
  for (const from of gone) {
    const name = letters(from.name)
    pairWithOnly(
      from,
      [...left].filter((to) => letters(to.name) === name),
    )
  }
  const open = gone.filter((from) => !pairs.has(from))
  for (const from of open) {
    const key = signature(from)
    if (open.some((other) => other !== from && signature(other) === key)) continue
    pairWithOnly(
      from,
      [...left].filter((to) => signature(to) === key),
    )
  }
  return pairs
}

/** Returns the letters and digits of a name, in lower case. */
function letters(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/**
 * Returns the properties by which fields are compared: the kinds, the format and the fields of values, and
 * whether some objects lack the field.
 */
function signature({ field, facts }: LoneField): string {
  const isOptional = (field.absent?.times ?? 0) > 0
  return JSON.stringify([facts && toSignature(facts), isOptional])
}

function toSignature(facts: Facts): unknown {
  const { texts, fields, items } = facts
  const element = items?.()
  return [
    describeKinds(facts),
    texts?.format ?? '',
    [...(fields?.keys() ?? [])].toSorted(),
    element ? describeKinds(element) : '',
  ]
}

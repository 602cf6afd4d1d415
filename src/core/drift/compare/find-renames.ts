import type { Facts } from '../facts/facts.ts'
import { describeKinds } from './compare-types.ts'
import type { Lone } from './finding.ts'

/**
 * Pairs fields that one side lacks with fields that the other side lacks, as the old and the new name of one field:
 * names that differ in case and punctuation alone (`createdAt`, `created_at`), and else the only two fields of their
 * kind, which all objects have or which some objects lack on both sides.
 */
export function findRenames(gone: readonly Lone[], added: readonly Lone[]): Map<Lone, Lone> {
  const pairs = new Map<Lone, Lone>()
  const left = new Set(added)
  const pair = (from: Lone, candidates: readonly Lone[], isOnly: boolean): void => {
    const [to] = candidates
    if (!to || candidates.length > 1 || !isOnly) return
    pairs.set(from, to)
    left.delete(to)
  }
  for (const from of gone) {
    const same = [...left].filter((to) => letters(to.name) === letters(from.name))
    pair(from, same, true)
  }
  const open = gone.filter((from) => !pairs.has(from))
  for (const from of open) {
    const key = signature(from)
    const others = open.filter((one) => signature(one) === key)
    pair(
      from,
      [...left].filter((to) => signature(to) === key),
      others.length === 1,
    )
  }
  return pairs
}

/** The letters and digits of a name, in lower case. */
function letters(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** The kinds, the format and the fields of values, and whether some objects lack the field. */
function signature({ field, facts }: Lone): string {
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

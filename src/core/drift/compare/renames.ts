import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { describeKinds, type Facts, type FieldFacts } from '../facts/facts.ts'
import type { Difference } from '../difference.ts'

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
  const candidates = new Set(added)
  const pairWithOnly = (from: LoneField, isPair: (to: LoneField) => boolean): void => {
    const [to, second] = [...candidates].filter(isPair)
    if (!to || second) return
    pairs.set(from, to)
    candidates.delete(to)
  }
  for (const from of gone) {
    const name = letters(from.name)
    pairWithOnly(from, (to) => letters(to.name) === name)
  }
  const unpaired = gone.filter((from) => !pairs.has(from))
  for (const from of unpaired) {
    const key = signature(from)
    if (unpaired.some((other) => other !== from && signature(other) === key)) continue
    pairWithOnly(from, (to) => signature(to) === key)
  }
  return pairs
}

/** A field that only one side has. Such a field is missing or renamed. */
export interface LoneField {
  name: string
  field: FieldFacts
  facts: Facts | undefined
}

/** Returns a name without case and punctuation. */
function letters(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/** Returns a text that is equal for fields with values of the same kind. */
function signature({ field, facts }: LoneField): string {
  const isOptional = (field.absent?.count ?? 0) > 0
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

/** Merges renamed fields that follow another convention, such as snake_case, into one difference. */
export function mergeConventions(differences: readonly Difference[]): Difference[] {
  const groups = new Map<string, Difference[]>()
  for (const difference of differences) {
    const group = difference.kind === 'renamed' ? toGroup(difference) : undefined
    if (group !== undefined) addToMultimap(groups, group, difference)
  }
  const replaced = new Set<Difference>()
  const merged = [...groups].flatMap(([group, members]): Difference[] => {
    const [first] = members
    if (!first || members.length < fewestRenames) return []
    for (const member of members) replaced.add(member)
    const [here = '', there = ''] = group.split(' ')
    return [
      {
        ...first,
        path: first.resource ?? first.path,
        place: [],
        here: toText(here, members, 'here'),
        there: toText(there, members, 'there'),
        renames: members.flatMap(({ renames = [] }) => renames),
      },
    ]
  })
  return [...merged, ...differences.filter((one) => !replaced.has(one))]
}

/** The fewest renamed fields from which another convention is concluded. */
const fewestRenames = 2

const conventions: readonly [name: string, pattern: RegExp][] = [
  ['snake_case', /^[a-z\d]+(?:_[a-z\d]+)+$/],
  ['kebab-case', /^[a-z\d]+(?:-[a-z\d]+)+$/],
  ['camelCase', /^[a-z\d]+(?:[A-Z][a-z\d]*)+$/],
  ['PascalCase', /^[A-Z][a-z\d]*(?:[A-Z][a-z\d]*)*$/],
]

function toText(
  convention: string,
  members: readonly Difference[],
  side: 'here' | 'there',
): string {
  const names = members.slice(0, 3).map((one) => one[side])
  const more = members.length > names.length ? ', ...' : ''
  return `${convention} (${names.join(', ')}${more})`
}

/** Returns the conventions of both names, such as `camelCase snake_case`; undefined for the same convention. */
function toGroup({ here, there }: Difference): string | undefined {
  const [own, other] = [here, there].map(
    (name) => conventions.find(([, pattern]) => pattern.test(name))?.[0],
  )
  return own === undefined || other === undefined || own === other ? undefined : `${own} ${other}`
}

import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Finding } from './finding.ts'

/**
 * Merges the renamed fields of a resource that follow another naming convention, such as snake_case, into one
 * finding.
 */
export function mergeConventions(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings) {
    addToMultimap(groups, finding.kind === 'renamed' ? toGroup(finding) : '', finding)
  }
  const merged = [...groups].flatMap(([group, members]): [Finding, Finding[]][] => {
    const [first] = members
    if (group === '' || !first || members.length < evidence) return []
    const [here = '', there = ''] = group.split(' ')
    const finding: Finding = {
      ...first,
      place: [],
      here: toText(here, members, 'here'),
      there: toText(there, members, 'there'),
      renames: members.flatMap(({ renames = [] }) => renames),
    }
    return [[finding, members]]
  })
  const replaced = new Set(merged.flatMap(([, members]) => members))
  return [...merged.map(([finding]) => finding), ...findings.filter((one) => !replaced.has(one))]
}

/** The fewest renamed fields that are evidence of a convention. */
const evidence = 2

const conventions: readonly [name: string, pattern: RegExp][] = [
  ['snake_case', /^[a-z\d]+(?:_[a-z\d]+)+$/],
  ['kebab-case', /^[a-z\d]+(?:-[a-z\d]+)+$/],
  ['camelCase', /^[a-z\d]+(?:[A-Z][a-z\d]*)+$/],
  ['PascalCase', /^[A-Z][a-z\d]*(?:[A-Z][a-z\d]*)*$/],
]

function toText(convention: string, members: readonly Finding[], side: 'here' | 'there'): string {
  const names = members.slice(0, 3).map((one) => one[side])
  const more = members.length > names.length ? ', ...' : ''
  return `${convention} (${names.join(', ')}${more})`
}

function toGroup({ here, there }: Finding): string {
  const [own, other] = [here, there].map(
    (name) => conventions.find(([, pattern]) => pattern.test(name))?.[0],
  )
  return own === undefined || other === undefined || own === other ? '' : `${own} ${other}`
}

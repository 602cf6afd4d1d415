import { parameterSpellings } from '../../dialects/rest/spelling.ts'
import type { Json } from '../../json/json.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import { escapeTemplate } from './text-template.ts'
import { type ParameterRole, roleOf } from '../recognize/parameters.ts'

/** Learns the names of list parameters that `rest` does not accept by default. */
export function learnParameters(
  lists: readonly ParsedExchange[],
  isField: (name: string) => boolean,
): LearnedParameters {
  const names: NamesByRole = new Map()
  const sorts: string[] = []
  const filters = new Set<string>()
  for (const { query } of lists) {
    for (const [name, value] of query) {
      const role = roleOf(name, value, isField)
      if (role === undefined) filters.add(toFilterTemplate(name, isField))
      else {
        const counts = names.get(role) ?? new Map<string, number>()
        names.set(role, counts.set(name, (counts.get(name) ?? 0) + 1))
        if (role === 'sort') sorts.push(value)
      }
    }
  }
  const templates = [...filters].filter((template) => template !== '').toSorted()
  const learned = toParameters(names, sorts)
  return templates.length > 0 ? { ...learned, filters: ['$field', ...templates] } : learned
}

type NamesByRole = Map<ParameterRole, Map<string, number>>

/** Options of `rest` with their evidence; an option is missing if nothing is known. */
export interface LearnedParameters {
  parameters?: Record<string, Json>
  filters?: string[]
  evidence: Record<string, string>
}

function toParameters(names: NamesByRole, sorts: readonly string[]): LearnedParameters {
  const parameters: Record<string, Json> = {}
  const evidence: string[] = []
  for (const [role, counts] of [...names].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const usual = parameterSpellings[role]
    // Links have the name that most requests have.
    const found = [...counts]
      .filter(([name]) => !usual.includes(name))
      .toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    if (found.length === 0) continue
    const suffix = role === 'sort' ? toSortSuffix(sorts) : ''
    const listed = found.map(([name]) => escapeTemplate(name) + suffix)
    const isOfPages = role === 'limit' && names.has('page') && !names.has('start')
    parameters[isOfPages ? 'perPage' : role] = listed.length === 1 ? (listed[0] ?? '') : listed
    for (const [name, times] of found) evidence.push(`${name} (${times})`)
  }
  if (evidence.length === 0) return { evidence: {} }
  const text = `seen in requests of lists: ${evidence.join(', ')}`
  return { parameters, evidence: { parameters: text } }
}

/** Returns the suffix of the template for a sort parameter; empty for the default syntax `-views,title`. */
function toSortSuffix(values: readonly string[]): string {
  if (values.some((value) => /^[\w.]+,(?:asc|desc)$/i.test(value))) return '=$field,$order'
  if (values.some((value) => /^[\w.]+:(?:asc|desc)$/i.test(value))) return '=$field:$order'
  if (values.some((value) => /^[\w./]+ (?:asc|desc)$/i.test(value))) return '=$field $order'
  return ''
}

/** `filter[$field]`, `$field__$op`; empty if `rest` accepts the filter by default. */
function toFilterTemplate(name: string, isField: (name: string) => boolean): string {
  if (isField(name)) return ''
  const bracket = /^(\w+)\[([\w.]+)\](?:\[\$?\w+\])?$/.exec(name)
  const compared = /^(\w+)\[(\$?)\w+\]$/.exec(name)
  if (compared?.[1] !== undefined && isField(compared[1])) {
    return compared[2] === '$' ? '$field[$$$op]' : '$field[$op]'
  }
  if (bracket?.[2] !== undefined && isField(bracket[2])) {
    return name.includes('][') ? `${bracket[1]}[$field][$op]` : `${bracket[1]}[$field]`
  }
  const django = /^(\w+?)__\w+$/.exec(name)
  return django?.[1] !== undefined && isField(django[1]) ? '$field__$op' : ''
}

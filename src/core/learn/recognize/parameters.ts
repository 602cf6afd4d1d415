import type { Param } from '../parse-exchange.ts'

/** Returns the role of a parameter, such as `page`, by name and value; undefined for a filter. */
export function roleOf(
  name: string,
  value: string,
  isField: (name: string) => boolean = () => false,
): ParameterRole | undefined {
  if (isField(name)) return undefined
  const bare = name.replace(/^[_$]/, '')
  if (counts.test(bare) && !/^\d+$/.test(value)) return 'count'
  const role = roles.find(([, names]) => names.test(bare))?.[0]
  // `count=true` and `first=x` are no sizes.
  if (role === 'page' || role === 'limit' || role === 'start' || role === 'end') {
    return /^\d+$/.test(value) ? role : undefined
  }
  // `order=name` sorts by a field, `order=asc` gives the direction.
  if (role === 'order' && !/^(?:asc|desc)(?:ending)?$/i.test(value)) return 'sort'
  return role
}

/** The effect of a query parameter of a list. */
export type ParameterRole =
  | 'page'
  | 'limit'
  | 'start'
  | 'end'
  | 'cursor'
  | 'count'
  | 'sort'
  | 'order'
  | 'q'
  | 'fields'
  | 'embed'

/** The usual names of parameters by role. A leading `_` or `$` is left out before the comparison. */
const roles: readonly [role: ParameterRole, names: RegExp][] = [
  ['page', /^(?:page|p|page_?(?:no|number|index)|current_?page|page\[(?:number|no)\])$/i],
  [
    'limit',
    /^(?:limit|per_?page|page_?size|size|take|top|max(?:_?results)?|count|rows|first|page\[(?:size|limit)\])$/i,
  ],
  ['start', /^(?:offset|skip|start|start_?index|page\[offset\])$/i],
  ['end', /^end$/i],
  [
    'cursor',
    /^(?:cursor|after|before|page_?token|next_?(?:page_?)?token|continuation_?token|starting_after|start_?after|page\[(?:cursor|after)\])$/i,
  ],
  ['sort', /^(?:sort|sort_?by|order_?by|ordering|sort\[\])$/i],
  ['order', /^(?:order|dir|direction|sort_?(?:order|dir|direction)|order_?dir)$/i],
  ['q', /^(?:q|query|search|keywords?|term|text)$/i],
  ['fields', /^(?:fields|select|only|projection|attributes|columns)(?:\[.*\])?$/i],
  ['embed', /^(?:embed|includes?|expand|with|populate|relations|join)$/i],
]

/** The usual names of parameters that ask for the number of all records: `$count=true`. */
const counts = /^(?:count|with_?count|(?:with|include)_?total(?:_?count)?|include_?count)$/i

/** Returns the value of the parameter with a role, as a number; undefined if no parameter has the role. */
export function numberOf(query: readonly Param[], role: ParameterRole): number | undefined {
  const found = query.find(([name, value]) => roleOf(name, value) === role)
  return found && Number(found[1])
}

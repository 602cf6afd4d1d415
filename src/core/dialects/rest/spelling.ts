import type { Path } from '../../json/path.ts'
import type { Where } from '../../query/tree.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Params } from '../../url/params.ts'
import type { CollectionView, Paging, SplitParam, SplitParams } from '../contract/dialect.ts'
import type { Comparison } from './filter.ts'

/** The query parameters that are no filters, with the names that `rest` gives them. */
export const parameterSpellings: Readonly<Record<ParameterName, readonly string[]>> = {
  q: ['q'],
  sort: ['_sort'],
  order: ['_order'],
  page: ['_page'],
  perPage: ['_per_page'],
  limit: ['_limit'],
  start: ['_start'],
  end: ['_end'],
  cursor: ['_cursor'],
  count: [],
  embed: ['_embed', '_expand'],
  fields: ['_fields'],
  where: ['_where'],
  dependent: ['_dependent'],
}

/** The name of a parameter of `rest`, without the underscore. */
export type ParameterName =
  | 'q'
  | 'sort'
  | 'order'
  | 'page'
  | 'perPage'
  | 'limit'
  | 'start'
  | 'end'
  | 'cursor'
  | 'count'
  | 'embed'
  | 'fields'
  | 'where'
  | 'dependent'

/** The names of all parameters. */
export const parameterNames: readonly ParameterName[] = Object.keys(
  parameterSpellings,
) as ParameterName[]

/** How the requests of a dialect write the grammar that all dialects of `rest` share. */
export interface Spelling extends TreeSpelling {
  /** The ways to write each parameter; none for a parameter that does not exist. */
  parameters: Readonly<Record<ParameterName, readonly SpelledParameter[]>>
  /** Parses the parameters that may be filters. */
  parseFilters(others: SplitParams['others'], collection: CollectionView): Filters
  /** Creates the function that reads the numbers that select a page. @throws MockError 400 for an invalid number */
  createReader(params: SplitParams): ReadNumber
  /** Whether a request without a cursor gets the first page by cursor. @default false for all requests */
  startsByCursor?(params: SplitParams): boolean
  /** Returns the parameters of the link to the page that starts at an index. */
  toChanges(start: number, paging: Paging, known: SplitParams['known']): Change[]
  /** The key of a record that holds the embedded records; undefined for the record itself. */
  embedIn?: string | undefined
  /** The keys that responses give the id, which are in every selection of fields; the id has no others. */
  idKeys?: readonly string[]
  /** Returns the fields of a sort parameter, with their order if it stands beside them. */
  toSortTexts(parts: SplitParam['parts']): [text: string, order?: string][]
}

/** How a tree of conditions is written. */
export interface TreeSpelling {
  /** Returns the path of a field. */
  toPath(field: string, collection: { hasPath(path: Path): boolean; idField?: string }): Path
  /** Creates the condition of a field. @throws MockError 400 for an unknown operator, and for an invalid value */
  compare(comparison: Comparison, operator: string): Where
  /** Returns the word that a key of a tree is: `and` for `$and`. */
  toWord(key: string): string
  /** Whether a key of the object of a field names an operator. */
  isOperator(key: string): boolean
  /** Parses a filter that is no JSON. @throws MockError 400 */
  parseText?: ParseFilter
}

/** Parses the text of a filter, which a parameter has. @throws MockError 400 */
export type ParseFilter = (
  text: string,
  collection: CollectionView,
  parameter: string,
  spelling: TreeSpelling,
) => Where

/** Reads the number of a parameter that selects a page; undefined if the request has no such parameter. */
export type ReadNumber = (parameter: ParameterName) => number | undefined

/** A parameter of a link that differs from the request; null for a parameter that is left out. */
export type Change = readonly [parameter: ParameterName, value: string | null]

/** A way to write a parameter. */
export interface SpelledParameter {
  /** The pattern of the parameter, as the options have it: `filter[$field]`. */
  text: string
  /** The start of the pattern before its first variable: `filter[`. */
  name: string
  /** Returns the parts of a parameter by variable; undefined for a parameter that does not match the pattern. */
  match(name: string, value: string): SplitParam['parts'] | undefined
}

/** The filters of a request, and the names of the parameters that are no filters. */
export interface Filters {
  where: Where[]
  unused: string[]
}

/** Converts the default names of each parameter. */
export function mapParameters<T>(
  convert: (names: readonly string[], parameter: ParameterName) => T,
): Record<ParameterName, T> {
  const entries = parameterNames.map((one) => [one, convert(parameterSpellings[one], one)])
  return Object.fromEntries(entries) as Record<ParameterName, T>
}

/**
 * Splits query parameters into those with a meaning of their own and those that may be filters; `tags[0]`, `tags[]`
 * and `tags` are the same name. `naming` returns the name of a parameter in errors.
 */
export function splitParams(
  params: Params,
  { parameters }: Pick<Spelling, 'parameters'>,
  naming: (name: string) => string = (name) => name,
): SplitParams {
  const known: Record<string, SplitParam[]> = {}
  const others = new Map<string, string[]>()
  const names = new Map<string, ParameterName | undefined>()
  for (const [sent, value] of params) {
    const nameWithoutIndex = sent.replace(/\[\d*\]$/, '')
    let name = nameWithoutIndex
    const parameter = parameterNames.find((one) =>
      parameters[one].some(({ match }) => {
        const whole = match(sent, value)
        const parts =
          whole ?? (nameWithoutIndex === sent ? undefined : match(nameWithoutIndex, value))
        if (!parts) return false
        name = naming(whole ? sent : nameWithoutIndex)
        return (known[one] ??= []).push({ sent, name, parts })
      }),
    )
    if (!parameter) addToMultimap(others, nameWithoutIndex, value)
    if (!names.has(name)) names.set(name, parameter)
  }
  return {
    known,
    others,
    names,
    last: (one) => known[one]?.at(-1)?.parts['value'],
    nameOf: (one) => known[one]?.[0]?.name ?? one,
  }
}

/** Returns the comma-separated values of a parameter that can be repeated, including empty strings. */
export function splitValues({ known }: SplitParams, parameter: ParameterName): string[] {
  return known[parameter]?.flatMap(({ parts }) => splitText(parts['value'] ?? '')) ?? []
}

/** Splits a text at commas. */
export function splitText(text: string): string[] {
  return text.split(',').map((one) => one.trim())
}

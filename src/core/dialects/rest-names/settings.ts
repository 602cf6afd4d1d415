import { operators } from '../../query/operators.ts'
import {
  type PageOptions,
  type ParameterName,
  parameterNames,
  type ResourceNames,
  type RestNames,
  type Template,
} from './options.ts'
import { parsePattern, type Pattern } from './pattern.ts'

/** Converts checked options of `rest` to settings, with the defaults filled in and patterns parsed. */
export function toSettings(options: RestNames): Settings {
  const { parameters = {}, filters, anyFilters = [], pages, list = '$items' } = options
  const { page = list, record = '$record' } = options
  const known =
    options.operators ?? Object.fromEntries(Object.keys(operators).map((name) => [name, name]))
  const names = Object.keys(known).filter((name) => name !== '')
  const toPatterns = (texts: readonly string[]): Pattern[] =>
    texts.map((text) => parsePattern(text, names))
  const patternsOf = (name: ParameterName): Pattern[] => {
    const given = parameters[name] ?? defaultNames[name]
    return given === false ? [] : toPatterns(typeof given === 'string' ? [given] : given)
  }
  return {
    ...options,
    parameters: Object.fromEntries(
      parameterNames.map((name) => [name, patternsOf(name)]),
    ) as unknown as Settings['parameters'],
    filters: toPatterns(filters ?? ['$field', '$field:$op', '$field_$op']),
    anyFilters: toPatterns(anyFilters),
    operators: { '': 'eq', ...known },
    separator: options.separator ?? '.',
    pages: {
      first: 1,
      size: 10,
      always: false,
      invalid: 'error',
      beyond: 'empty',
      isSizeLinked: false,
      isFirstPlain: false,
      ...pages,
    },
    hidden: options.hidden ?? [],
    unlisted: options.unlisted ?? [],
    list,
    page,
    cursor: options.cursor ?? page,
    item: options.item ?? '$record',
    record,
    created: options.created === undefined ? record : options.created,
    updated: options.updated === undefined ? record : options.updated,
    removed: options.removed === undefined ? record : options.removed,
    headers: options.headers ?? defaultHeaders,
  }
}

/** The options of `rest` with their defaults, and with parsed patterns in place of texts. */
export interface Settings extends Omit<
  RestNames,
  'parameters' | 'filters' | 'anyFilters' | 'pages' | 'resources'
> {
  /** The ways to write each parameter; none for a parameter that does not exist. */
  parameters: Readonly<Record<ParameterName, readonly Pattern[]>>
  filters: readonly Pattern[]
  anyFilters: readonly Pattern[]
  operators: Readonly<Record<string, string>>
  separator: string
  pages: Required<Omit<PageOptions, 'max'>> & Pick<PageOptions, 'max'>
  hidden: readonly string[]
  unlisted: readonly string[]
  list: Template
  page: Template
  cursor: Template
  item: Template
  record: Template
  created: Template
  updated: Template
  removed: Template
  headers: Readonly<Record<string, string>>
}

/** The names of parameters in `rest`. */
export const defaultNames: Readonly<Record<ParameterName, string | readonly string[]>> = {
  q: 'q',
  sort: '_sort',
  order: '_order',
  page: '_page',
  perPage: '_per_page',
  limit: '_limit',
  start: '_start',
  end: '_end',
  cursor: '_cursor',
  count: [],
  embed: ['_embed', '_expand'],
  fields: '_fields',
  where: '_where',
  dependent: '_dependent',
}

/** The headers of `rest`. */
const defaultHeaders: Readonly<Record<string, string>> = {
  'X-Total-Count': '$total',
  'Content-Range': '$range',
  Link: '$links',
  Location: '$location',
}

/** The bodies that follow another one by default. */
const followers: readonly (readonly [leader: keyof ResourceNames, names: readonly string[]])[] = [
  ['list', ['page', 'cursor']],
  ['record', ['created', 'updated', 'removed']],
]

/** Returns the options of a resource: its own in place of those of all resources. */
export function withResource(options: RestNames, own: ResourceNames): RestNames {
  const replaced = followers.flatMap(([leader, names]) => (own[leader] === undefined ? [] : names))
  const kept = Object.entries(options).filter(([name]) => !replaced.includes(name))
  return { ...Object.fromEntries(kept), ...own, pages: { ...options.pages, ...own.pages } }
}

import { operators } from '../../query/operators.ts'
import { parseExpression } from '../rest/expression.ts'
import { mapParameters, type Spelling, splitText } from '../rest/spelling.ts'
import { type Envelopes, toEnvelopes } from './envelope.ts'
import { type FilterSettings, parseFilters, toFilter, toPath } from './filters.ts'
import type { ResourceNames, RestNames } from './options.ts'
import { createReader, type PageSettings, startsByCursor, toChanges } from './page-numbers.ts'
import { parsePattern, type Pattern, type PatternMatch } from './pattern.ts'

/** Converts checked options of `rest` to settings, with the defaults filled in and patterns parsed. */
export function toSettings(options: RestNames): Settings {
  const { parameters = {}, list = '$items' } = options
  const { page = list, record = '$record' } = options
  const known =
    options.operators ?? Object.fromEntries(Object.keys(operators).map((name) => [name, name]))
  const names = Object.keys(known).filter((name) => name !== '')
  const toPatterns = (texts: readonly string[]): Pattern[] =>
    texts.map((text) => parsePattern(text, names))
  const pages: PageSettings = {
    first: 1,
    size: 10,
    always: false,
    by: 'number',
    invalid: 'error',
    beyond: 'empty',
    sizeInLinks: false,
    omitFirstPage: false,
    ...options.pages,
  }
  const wire: FilterSettings = {
    filters: toPatterns(options.filters ?? ['$field', '$field:$op', '$field_$op']),
    filterGroups: toPatterns(options.filterGroups ?? []),
    operators: { '': 'eq', ...known },
    separator: options.separator ?? '.',
  }
  const idKeys = Object.entries(options.item ?? {}).flatMap(([key, value]) =>
    value === '$id' || value === '$key' ? [key.replace(/\?$/, '')] : [],
  )
  const settings: Settings = {
    ...options,
    ...wire,
    pages,
    parameters: mapParameters((defaults, name) => {
      const names = parameters[name] ?? parameters['*'] ?? defaults
      const all = names === false ? [] : [names].flat()
      const isTree = name === 'where' || name === 'embed'
      return toPatterns(isTree ? all.flatMap(withBrackets) : all)
    }),
    toPath: (field, collection) =>
      idKeys.includes(field) && !collection.hasPath([field])
        ? [collection.idField ?? 'id']
        : toPath(field, collection, wire.separator),
    parseFilters: (others, collection) => parseFilters(others, collection, wire),
    compare: (comparison, operator) => toFilter(comparison, operator, wire.operators),
    toWord: (key) => key.replace(/^[$_]/, ''),
    ...(options.grammar === 'expression' && { parseText: parseExpression }),
    isOperator: (key) => Object.hasOwn(known, key),
    idKeys,
    createReader: (params) => createReader(params, settings, pages),
    startsByCursor: (params) => startsByCursor(params, pages),
    toChanges: (start, paging, known) => toChanges(start, paging, known, settings, pages),
    toSortTexts,
    hidden: options.hidden ?? [],
    unlisted: options.unlisted ?? [],
    list,
    page,
    range: options.range ?? page,
    cursor: options.cursor ?? page,
    item: options.item ?? '$record',
    record,
    envelopes: toEnvelopes(options),
    created: options.created === undefined ? record : options.created,
    updated: options.updated === undefined ? record : options.updated,
    removed: options.removed === undefined ? record : options.removed,
    headers: options.headers ?? defaultHeaders,
  }
  return settings
}

/** The options of `rest` with their defaults, and how they spell requests. */
export interface Settings
  extends
    Omit<RestNames, keyof FilterSettings | keyof Spelling | DefaultOption | 'body' | 'resources'>,
    Required<Pick<RestNames, Exclude<DefaultOption, 'pages'>>>,
    FilterSettings,
    Spelling {
  parameters: Readonly<Record<keyof Spelling['parameters'], readonly Pattern[]>>
  pages: PageSettings
  envelopes: Envelopes
}

/** The options that have a default. */
type DefaultOption =
  | ('pages' | 'hidden' | 'unlisted' | 'headers' | 'list' | 'page' | 'range' | 'cursor')
  | ('item' | 'record' | 'created' | 'updated' | 'removed')

const defaultHeaders: Readonly<Record<string, string>> = {
  'X-Total-Count': '$total',
  'Content-Range': '$range',
  Link: '$links',
  Location: '$location',
}

/** The bodies that follow another one by default. */
const followers: readonly (readonly [leader: keyof ResourceNames, names: readonly string[]])[] = [
  ['list', ['page', 'range', 'cursor']],
  ['record', ['created', 'updated', 'removed']],
]

/** Returns the options of a resource: its own in place of those of all resources. */
export function withResource(options: RestNames, own: ResourceNames): RestNames {
  const replaced = followers.flatMap(([leader, names]) => (own[leader] === undefined ? [] : names))
  const kept = Object.entries(options).filter(([name]) => !replaced.includes(name))
  return {
    ...Object.fromEntries(kept),
    ...own,
    pages: { ...options.pages, ...own.pages },
    statuses: { ...options.statuses, ...own.statuses },
  }
}

/** Returns the fields of a sort parameter, with their order if it stands beside them. */
function toSortTexts({
  field,
  order,
  value = '',
  whole,
}: PatternMatch): [text: string, order?: string][] {
  if (field === undefined) return splitText(value).map((text) => [text])
  if (whole?.includes(':')) return splitText(whole).map(toSortText)
  const words = splitText(`${field},${order ?? value}`).filter((word) => word !== '')
  const last = words.at(-1)?.toLowerCase()
  if (words.length < 2 || (last !== 'asc' && last !== 'desc')) return words.map((word) => [word])
  return words.slice(0, -1).map((word) => [word, last])
}

/** Splits `title:desc`. */
function toSortText(text: string): [text: string, order?: string] {
  const [field = '', order = ''] = text.split(':', 2)
  return [field, order.toLowerCase()]
}

/** The ways to write a tree: as a whole, and with keys in brackets. */
function withBrackets(text: string): string[] {
  return text.includes('=') ? [text] : [text, `${text}[$keys]`]
}

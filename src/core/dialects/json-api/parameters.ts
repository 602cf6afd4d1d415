import { suggest } from '../../errors/nearest.ts'
import type { Path } from '../../json/path.ts'
import { operators } from '../../query/operators.ts'
import type { Embed, Where } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import type { CollectionView, ListRequest } from '../contract/dialect.ts'
import { pathOf, splitOperand, toCondition } from '../rest/filter.ts'
import { readNumber } from '../rest/paging.ts'
import { toEmbeds } from '../rest/presentation.ts'
import { parseList as parseRestList } from '../rest/question.ts'
import { mapParameters, type ParameterName, type Spelling, splitText } from '../rest/spelling.ts'
import { plainTree } from '../rest/where.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { fieldOf } from './names.ts'

/**
 * Parses the parameters of a list: `include`, `fields[…]`, `filter[…]`, `sort` and `page[…]` (JSON:API 1.1, "Fetching Data").
 * @throws MockError 400 for another parameter of the specification, and for an unknown field
 */
export function parseList(params: Params, collection: CollectionView): ListRequest {
  checkNames(params, 'list')
  const isEmpty = collection.keys().size === 0
  const view = { ...collection, hasPath: (path: Path) => isEmpty || collection.hasPath(path) }
  const { ignored, unknownFields = {}, ...asked } = parseRestList(params, view, spelling)
  for (const name of ignored) {
    if (isCustom(name)) continue
    const field = unknownFields[name] ?? name
    const hint = suggest(field, [...collection.keys()])
    const sentence = `"${collection.name}" has no field "${field}". ${hint}`
    throw wrongParameter(name, `names the unknown field "${field}"`, sentence)
  }
  return { ...asked, ignored }
}

/** Checks the parameters of a request by the kind of its response. @throws MockError 400 for another one of the specification */
export function parseFor(params: Params, kind: ResponseKind): { ignored: string[] } {
  checkNames(params, kind)
  return { ignored: params.map(([name]) => name).filter(isCustom) }
}

/** The related records and the fields that a response has. */
export interface Presentation {
  /** The relationship paths of `include`; undefined without this parameter. */
  include: readonly Embed[] | undefined
  /** The names of fields by type (`fields[articles]=title`). */
  fields: ReadonlyMap<string, ReadonlySet<string>>
}

/** Parses `include` and `fields[…]`. */
export function parsePresentation(params: Params): Presentation {
  const fields = new Map<string, ReadonlySet<string>>()
  let include: string[] | undefined
  for (const [name, value] of params) {
    const names = splitText(value).filter((text) => text !== '')
    const type = /^fields\[(.+)\]$/.exec(name)?.[1]
    if (type !== undefined) fields.set(type, new Set([...(fields.get(type) ?? []), ...names]))
    else if (name === 'include') include = [...(include ?? []), ...names]
  }
  return { include: include && toEmbeds(include, 'include'), fields }
}

/** The parameters with the kinds of responses that know them: results of operations, a record or a list. */
const parameters: readonly (readonly [name: string, pattern: RegExp, kinds: string])[] = [
  ['include', /^include$/, 'record list'],
  ['fields[type]', /^fields\[[^[\]]+\]$/, 'results record list'],
  ['filter[field]', /^filter(?:\[[^[\]]+\])+(?:\[\])?$/, 'list'],
  ['sort', /^sort$/, 'list'],
  ['page[number|size|offset|limit|after]', /^page\[(?:number|size|offset|limit|after)\]$/, 'list'],
]
type ResponseKind = 'none' | 'results' | 'record' | 'list'

/** Checks that each parameter is known, or custom ("Query Parameters"). @throws MockError 400 */
function checkNames(params: Params, kind: ResponseKind): void {
  const known = parameters.filter(([, , kinds]) => kinds.includes(kind))
  const isKnown = (name: string): boolean => known.some(([, pattern]) => pattern.test(name))
  const [unknown] = params.find(([name]) => !isCustom(name) && !isKnown(name)) ?? []
  if (unknown === undefined) return
  const list = known.map(([name]) => name).join(', ') || 'none'
  throw wrongParameter(unknown, `is no parameter of this request; known: ${list}`)
}

/** Whether implementations may define a parameter: its base name is a member name, and not only of a-z. */
function isCustom(name: string): boolean {
  const member = /^[a-zA-Z\d\u0080-\uFFFF](?:[\w \u0080-\uFFFF-]*[a-zA-Z\d\u0080-\uFFFF])?$/
  const [, base = '', rest = ''] = /^([^[]*)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
  return member.test(base) && !/^[a-z]+$/.test(base) && base + rest === name
}

/** Returns the path of a field, also of related records; a relation stands for the id of the related records. */
function toPath(text: string, { name, idField, ...view }: CollectionView): Path {
  const [member = '', ...rest] = text.split('.')
  const related = view.related?.(member)
  if (related && rest.length > 0) return [member, ...toPath(rest.join('.'), related)]
  const key = related && view.keyOf?.(member)
  if (related) return key === undefined ? [member, related.idField] : [key]
  const field = fieldOf(member, name, idField)
  return field === member ? pathOf(text, view) : [field, ...rest]
}

/** Parses `filter[views][gt]=5`, `filter[author.name]=x` and `filter[status]=draft,published`. */
const parseFilters: Spelling['parseFilters'] = (others, collection) => {
  const where: Where[] = []
  const unused: string[] = []
  for (const [parameter, values] of others) {
    if (!parameter.startsWith('filter[') && !isCustom(parameter)) continue
    const parts = [...parameter.matchAll(/\[([^[\]]+)\]/g)].map(([, part = '']) => part)
    const last = parts.length > 1 ? (parts.at(-1) ?? '') : ''
    const plain = toPath(parts.join('.'), collection)
    const isPlain = last === '' || (!Object.hasOwn(operators, last) && collection.hasPath(plain))
    const path = isPlain ? plain : toPath(parts.slice(0, -1).join('.'), collection)
    // A comma separates values, and a value can contain one.
    const either = isPlain ? [...values, ...values.flatMap(splitOperand)] : values
    const comparison = { path, values: either, parameter, collection, isWhole: isPlain }
    const isFilter = parameter.startsWith('filter[') && collection.hasPath(path)
    if (isFilter) where.push(toCondition(comparison, isPlain ? 'eq' : last))
    else unused.push(parameter)
  }
  return { where, unused }
}

/** The names of parameters on the wire; the others do not exist. */
const names: Partial<Record<ParameterName, readonly string[]>> = {
  sort: ['sort'],
  page: ['page[number]'],
  limit: ['page[size]', 'page[limit]'],
  start: ['page[offset]'],
  cursor: ['page[after]'],
}

/** The spelling of the grammar of `rest` in requests of JSON:API. */
export const spelling: Spelling = {
  ...plainTree,
  toPath: (field, collection) => toPath(field, collection as CollectionView),
  parameters: mapParameters((_, parameter) =>
    (names[parameter] ?? []).map((name) => ({
      text: name,
      name,
      match: (written, value) => (written === name ? { value } : undefined),
    })),
  ),
  parseFilters,
  createReader: (params) => (parameter) => {
    const number = readNumber(params, parameter, parameter === 'start' ? 0 : 1)
    const isSized = params.known['limit']?.some(({ name }) => name === 'page[size]')
    return parameter === 'page' && isSized && !params.known['start'] ? (number ?? 1) : number
  },
  toChanges: (start, { style, size }) => [
    style === 'range' ? ['start', String(start)] : ['page', String(start / size + 1)],
    ['limit', String(size)],
  ],
  toSortTexts: ({ value = '' }) => splitText(value).map((text) => [text]),
}

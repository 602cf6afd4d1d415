import { suggest } from '../../errors/nearest.ts'
import type { Path } from '../../json/path.ts'
import { operators } from '../../query/operators.ts'
import type { Embed, Where } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import type {
  CollectionView,
  ListRequest,
  MemberRequest,
  Paging,
  SplitParams,
} from '../contract/dialect.ts'
import { pathOf, splitOperand, toCondition } from '../rest/filter.ts'
import { readNumber } from '../rest/paging.ts'
import { toEmbeds } from '../rest/presentation.ts'
import { parseList as parseRestList } from '../rest/question.ts'
import {
  type Change,
  mapParameters,
  type ParameterName,
  type Spelling,
  splitText,
} from '../rest/spelling.ts'
import { plainTree } from '../rest/where.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { fieldOf } from './names.ts'

/**
 * Parses the parameters of a list: `include`, `fields[…]`, `filter[…]`, `sort` and `page[…]` (JSON:API 1.1, "Fetching Data").
 * @throws MockError 400 for another parameter of the specification, and for an unknown field
 */
export function parseList(params: Params, collection: CollectionView): ListRequest {
  checkNames(params, [...memberFamilies, ...listFamilies])
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

/** Checks the parameters of a request for one record. @throws MockError 400 for another one of the specification */
export function parseMember(params: Params): MemberRequest & { ignored: string[] } {
  checkNames(params, memberFamilies)
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

/** The parameters of all responses with records, and those of lists. */
const memberFamilies = [/^include$/, /^fields\[[^[\]]+\]$/]
const listFamilies = [
  /^sort$/,
  /^page\[(?:number|size|offset|limit|after)\]$/,
  /^filter(?:\[[^[\]]+\])+(?:\[\])?$/,
]

/**
 * Checks that each parameter is known, or has a name that implementations may define ("Query Parameters").
 * @throws MockError 400
 */
function checkNames(params: Params, families: readonly RegExp[]): void {
  const unknown = params.find(
    ([name]) => !isCustom(name) && !families.some((one) => one.test(name)),
  )
  if (!unknown) return
  const known =
    families === memberFamilies
      ? 'include and fields[type]'
      : 'include, fields[type], filter[field], sort and page[number|size|offset|limit|after]'
  const reason = `is no parameter of this request; known: ${known}`
  throw wrongParameter(unknown[0], reason)
}

/** Whether an implementation may define a parameter: its base name is a member name and not only of a-z ("Query Parameters"). */
function isCustom(name: string): boolean {
  const [base = ''] = name.split('[', 1)
  const isMemberName =
    /^[a-zA-Z\d\u0080-\uFFFF](?:[\w \u0080-\uFFFF-]*[a-zA-Z\d\u0080-\uFFFF])?$/.test(base)
  return (
    isMemberName && !/^[a-z]+$/.test(base) && /^(?:\[[^[\]]*\])*$/.test(name.slice(base.length))
  )
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
function parseFilters(
  others: SplitParams['others'],
  collection: CollectionView,
): ReturnType<Spelling['parseFilters']> {
  const where: Where[] = []
  const unused: string[] = []
  for (const [parameter, values] of others) {
    const parts = [...parameter.matchAll(/\[([^[\]]+)\]/g)].map(([, part = '']) => part)
    const last = parts.length > 1 ? (parts.at(-1) ?? '') : ''
    const plain = toPath(parts.join('.'), collection)
    const isPlain = last === '' || (!Object.hasOwn(operators, last) && collection.hasPath(plain))
    const path = isPlain ? plain : toPath(parts.slice(0, -1).join('.'), collection)
    const isFilter = parameter.startsWith('filter[')
    if (!isFilter || !collection.hasPath(path)) {
      unused.push(parameter)
      continue
    }
    const comparison = { path, parameter, collection }
    // A comma separates values, and a value can contain one.
    const either = isPlain ? [...values, ...values.flatMap(splitOperand)] : values
    where.push(
      toCondition({ ...comparison, values: either, isWhole: isPlain }, isPlain ? 'eq' : last),
    )
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

/** How requests spell the grammar of `rest`. */
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
  parseFilters: (others, collection) => {
    const filters = new Map(
      [...others].filter(([name]) => !memberFamilies.some((one) => one.test(name))),
    )
    return parseFilters(filters, collection)
  },
  createReader: (params) => (parameter) => {
    const number = readNumber(params, parameter, parameter === 'start' ? 0 : 1)
    const isSized = params.known['limit']?.some(({ name }) => name === 'page[size]')
    return parameter === 'page' && isSized && !params.known['start'] ? (number ?? 1) : number
  },
  toChanges,
  toSortTexts: ({ value = '' }) => splitText(value).map((text) => [text]),
}

function toChanges(start: number, { style, size }: Paging): Change[] {
  return [
    style === 'range' ? ['start', String(start)] : ['page', String(start / size + 1)],
    ['limit', String(size)],
  ]
}

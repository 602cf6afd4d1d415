import { type Json, isRecord, type JsonRecord } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import { operators, search } from '../../query/operators.ts'
import { toFilterRule } from '../../resources/filter-rule.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { singularOf } from '../../text/plurals.ts'
import { totalOf } from '../recognize/pages.ts'
import { roleOf } from '../recognize/parameters.ts'
import type { RecordedList } from './list-template.ts'
import { directionOf, type FilteredList, isTimeName } from './order.ts'

/** A collection with its lists. */
export interface FilteredCollection {
  /** The records, each with the records that its foreign keys name, as `embed` has them. */
  records: readonly JsonRecord[]
  /** Whether `records` are all of the collection. */
  isWhole: boolean
  lists: readonly FilteredList[]
}

/** The option `filters` of a resource, and the parameters that no filter explains. */
export interface LearnedFilters {
  filters: Record<string, Json>
  /** The numbers of lists by the name of a filter, as evidence. */
  counts: Record<string, number>
  /** The first request of each parameter that no filter explains. */
  unknown: Record<string, RecordedList>
}

/**
 * Learns the names of filters that are no fields: proposes paths and operators for each parameter, and keeps the one with
 * which the known records give the totals and records of all lists that have the parameter.
 */
export function learnFilters(collection: FilteredCollection): LearnedFilters {
  const uses = new Map<string, Use[]>()
  for (const one of collection.lists) {
    for (const [name, values] of parametersOf(one.list))
      addToMultimap(uses, name, { ...one, values })
  }
  const paths = pathsIn(collection.records)
  const fields = new Set(collection.records.flatMap(Object.keys))
  const found = new Map<string, Rule>()
  const ordered = [...uses].toSorted(([, a], [, b]) => companions(a) - companions(b))
  const chooseAll = (): void => {
    for (const [name, own] of ordered) {
      const rule = choose(name, own, paths, collection, found)
      if (rule) found.set(name, rule)
    }
  }
  chooseAll()
  for (const [name, rule] of found) {
    const standard = defaultOf(name, rule, collection)
    if (standard !== undefined) rule.more = { default: standard, ...rule.more }
  }
  // Lists without a parameter that has a default are filtered too.
  if ([...found.values()].some(({ more }) => more?.default !== undefined)) chooseAll()
  const learned: LearnedFilters = { filters: {}, counts: {}, unknown: {} }
  for (const [name, own] of uses) {
    const rule = found.get(name)
    const [first] = own
    if (!rule && first) learned.unknown[name] = first.list
    if (!rule || (rule.isUsual && !rule.more)) continue
    learned.filters[name] = rule.more ? { field: rule.option, ...rule.more } : rule.option
    learned.counts[name] = own.length
    Object.assign(learned.filters, toOtherEnd(name, rule.option, uses))
  }
  for (const [name, option, count] of sortFilters(collection, fields)) {
    if (Object.hasOwn(learned.filters, name)) continue
    learned.filters[name] = option
    learned.counts[`${name} as order`] = count
  }
  return learned
}

/** A request with a parameter. */
interface Use extends FilteredList {
  values: string[]
}

/** The meaning of a parameter. */
interface Rule {
  option: string | string[]
  /** Whether the parameter has this meaning without an option. */
  isUsual: boolean
  /** The value of lists without the parameter, and the value that finds all records. */
  more?: { default?: string; all?: string } | undefined
  test(values: readonly string[]): (record: JsonRecord) => boolean
}

/** The parameters of a list that may be filters: those without another role, and searches. */
function parametersOf({ query }: RecordedList): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [sent, value] of query) {
    const role = roleOf(sent, value)
    if (role !== undefined && role !== 'q') continue
    const name = sent.replace(/\[\d*\]$/, '')
    if (isPattern(name)) continue
    addToMultimap(found, name, value)
  }
  return found
}

/** Whether the name has an operator that patterns such as `$field[$op]` explain. */
function isPattern(name: string): boolean {
  const word = /(?:\[\$?(\w+)\]|__(\w+)|[:_]([a-z]+))$/i.exec(name)?.slice(1).find(Boolean) ?? ''
  return name.includes('__') || name.startsWith('filter[') || Object.hasOwn(operators, word)
}

function companions(uses: readonly Use[]): number {
  return Math.min(...uses.map(({ list }) => parametersOf(list).size))
}

/** Returns the likeliest of the rules with which all requests have the records that they should have. */
function choose(
  name: string,
  uses: readonly Use[],
  paths: readonly string[],
  collection: FilteredCollection,
  known: ReadonlyMap<string, Rule>,
): Rule | undefined {
  const before = known.get(name)
  if (before?.more?.default !== undefined) return before
  const all = uses.flatMap(({ values }) => values).find((value) => allWords.test(value))
  const fits = ({ test }: Rule): boolean =>
    uses.every((use) => agrees(use, test(use.values), name, collection.isWhole, known))
  const usual = toRule([name], true, all)
  if (paths.includes(name) && fits(usual)) return usual
  const isSearch = roleOf(name, 'x') === 'q'
  if (isSearch) {
    const whole: Rule = { option: '', isUsual: true, test: (values) => search.compile([], values) }
    if (fits(whole)) return whole
    const searched = searchedFields(uses, paths)
    const rule =
      searched.length > 0 ? toRule(searched.map((path) => `${path}:contains`)) : undefined
    return rule && fits(rule) ? rule : undefined
  }
  const isSelective = ({ test }: Rule): boolean =>
    uses.some(({ values }) => !collection.records.every(test(values)))
  const distinct = new Set(uses.map(({ values }) => values.join())).size
  return paths
    .flatMap((path) => {
      const likeness = likenessOf(name, path)
      const words = wordsFor(name, uses)
      return words.map((word, at) => ({ path, word, score: likeness * 10 - at, likeness }))
    })
    .filter(({ word, likeness }) => likeness > 0 || (word === '' && distinct > 1))
    .toSorted((a, b) => b.score - a.score || a.path.length - b.path.length)
    .map(({ path, word }) => toRule([word === '' ? path : `${path}:${word}`], false, all))
    .find((rule) => fits(rule) && isSelective(rule))
}

function toRule(texts: readonly string[], isUsual = false, all?: string): Rule {
  const [first = '', ...others] = texts
  const option = others.length === 0 ? first : [...texts]
  const { targets } = toFilterRule(option)
  return {
    option,
    isUsual: isUsual && all === undefined,
    ...(all !== undefined && { more: { all } }),
    test(values) {
      if (all !== undefined && values.includes(all)) return () => true
      const tests = targets.map(({ path, operator = operators.eq, isEach, isList }) => {
        const split = isEach || isList ? values.flatMap((value) => value.split(',')) : values
        const groups = isEach ? split.map((value) => [value]) : [split]
        const each = groups.map((group) => operator.compile(path, group))
        return (record: JsonRecord): boolean => each.every((test) => test(record))
      })
      return (record) => tests.some((test) => test(record))
    },
  }
}

/** Values that find all records. */
const allWords = /^(?:all|any|both|everything|\*)$/i

/** The operators that a parameter can stand for, the likeliest first. */
function wordsFor(name: string, uses: readonly Use[]): string[] {
  const tokens = tokensOf(name)
  const bounds = tokens.filter((token) => ranges.has(token))
  // `start` and `end` can be words of the field: `starts_on_lteq`.
  const bound = bounds.findLast((token) => !/^(?:start|end)$/.test(token)) ?? bounds.at(-1) ?? ''
  if (atLeast.includes(bound)) return ['gte', 'gt']
  if (atMost.includes(bound)) return ['lte', 'lt']
  if (above.includes(bound)) return ['gt', 'gte']
  if (below.includes(bound)) return ['lt', 'lte']
  const isList = uses.some(({ values }) => values.some((value) => value.includes(',')))
  return isList ? ['in', 'all'] : ['', 'contains', 'startsWith']
}

const atLeast = ['min', 'from', 'since', 'gte', 'gteq', 'ge', 'start', 'minimum', 'least', 'after']
const atMost = ['max', 'to', 'until', 'lte', 'lteq', 'le', 'end', 'maximum', 'most', 'before']
const above = ['gt', 'above', 'over', 'greater']
const below = ['lt', 'below', 'under', 'less']
const ranges = new Set([...atLeast, ...atMost, ...above, ...below])
const fillers = new Set([
  ...ranges,
  ...'q is by filter than at date on id name eq in contains like cont list'.split(' '),
])

/** The other end of a range, where requests have one alone: `maxPrice` beside `minPrice`. */
function toOtherEnd(
  name: string,
  option: Rule['option'],
  uses: ReadonlyMap<string, unknown>,
): Record<string, string> {
  const other = name.replace(endWords, (word) => {
    const opposite = opposites[word.toLowerCase()] ?? ''
    return /^[A-Z]/.test(word) ? opposite.charAt(0).toUpperCase() + opposite.slice(1) : opposite
  })
  const rule = String(option).replace(/:[gl](?=te?$)/, (word) => (word === ':g' ? ':l' : ':g'))
  return other === name || rule === option || uses.has(other) ? {} : { [other]: rule }
}

const opposites = Object.fromEntries(
  'min max,after before,since until,from to,gte lte,gt lt,start end'
    .split(',')
    .map((pair) => pair.split(' '))
    .flatMap(
      ([start = '', end = '']) =>
        [
          [start, end],
          [end, start],
        ] as const,
    ),
)

const endWords = new RegExp(`(?:${Object.keys(opposites).join('|')})(?![a-z])`, 'i')

/** The part of the words of a parameter that a path has. */
function likenessOf(name: string, path: string): number {
  const all = tokensOf(name)
  const tokens = tokensOf(path)
  const own = all.filter((token) => !fillers.has(token) || tokens.includes(token))
  const wanted = own.length > 0 ? own : all
  const shared = wanted.filter((token) => tokens.includes(token)).length
  // `since` and `from` alone are about times.
  if (own.length === 0 && isTimeName(path) && all.some((token) => ranges.has(token))) return 0.1
  return shared / Math.max(1, wanted.length) - (shared > 0 ? tokens.length / 100 : 0)
}

function tokensOf(name: string): string[] {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
  return words.filter((word) => word !== '').map(singularOf)
}

/** Whether a list has the records that a rule and the known rules of its other parameters give. */
function agrees(
  { list, rows, within, changes }: FilteredList,
  test: (record: JsonRecord) => boolean,
  name: string,
  isWhole: boolean,
  known: ReadonlyMap<string, Rule>,
): boolean {
  if (!rows.every(test)) return false
  const others = [...parametersOf(list)].filter(([other]) => other !== name)
  const tests = others.flatMap(([other, values]) => known.get(other)?.test(values) ?? [])
  const asked = new Set(others.map(([other]) => other))
  for (const [other, { more, test: testDefault }] of known) {
    const standard = other === name || asked.has(other) ? undefined : more?.default
    if (standard !== undefined) tests.push(testDefault([standard]))
  }
  const count = within.filter((one) => test(one) && tests.every((also) => also(one))).length
  const { total, links } = list.page
  const isTotal = totalOf(list, rows.length) !== undefined || links.next === null
  if (!isTotal) return true
  if (others.some(([other]) => !known.has(other))) return !isWhole || count + changes >= total
  return (isWhole ? Math.abs(count - total) : count - total) <= changes
}

/** The texts that a search reads: those that the records of the responses have and other records have not. */
function searchedFields(uses: readonly Use[], paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const found = uses.map(({ list, rows, within, changes, values }) => {
      const test = operators.contains.compile(path.split('.'), values)
      const isComplete = list.page.total === rows.length
      const isBeyond = isComplete && within.filter(test).length > rows.filter(test).length + changes
      return { isBeyond, isFound: rows.some((row) => test(row)) }
    })
    return !found.some(({ isBeyond }) => isBeyond) && found.some(({ isFound }) => isFound)
  })
}

/** The value that the records of lists without the parameter have alone, though other records have others. */
function defaultOf(
  name: string,
  { option, test }: Rule,
  { lists, records }: FilteredCollection,
): string | undefined {
  const [target, another] = toFilterRule(option).targets
  if (!target || target.operator || another) return undefined
  const shown = lists
    .filter(({ list }) => !parametersOf(list).has(name))
    .flatMap(({ rows }) => rows)
  const value = shown[0] && valueAt(shown[0], target.path)
  if (typeof value !== 'string' || shown.length < 4) return undefined
  return shown.every(test([value])) && !records.every(test([value])) ? value : undefined
}

/**
 * Finds the filters by which sort orders agree with the lists: a field for a name that is no field, and numbers for a
 * field whose texts, such as `19.50`, are in the order of their numbers.
 */
function sortFilters(
  { lists, records }: FilteredCollection,
  fields: ReadonlySet<string>,
): [name: string, option: string, count: number][] {
  const sorted = new Map<string, (readonly JsonRecord[])[]>()
  for (const { list, rows } of lists) {
    const [, text] = list.query.find(([name, value]) => roleOf(name, value) === 'sort') ?? []
    const name = /^[+-]?(\w+)(?:[,:](?:asc|desc))?$/i.exec(text ?? '')?.[1]
    if (name !== undefined) addToMultimap(sorted, name, rows)
  }
  return [...sorted].flatMap(([name, all]): [string, string, number][] => {
    const isSorted = (field: string, isNumber?: boolean): boolean =>
      all.every((rows) => directionOf(rows, field, isNumber) !== undefined)
    const likeness = (field: string): number =>
      fields.has(name) ? Number(field === name) : likenessOf(name, field)
    const candidates = [...fields]
      .filter((field) => likeness(field) > 0)
      .toSorted((a, b) => likeness(b) - likeness(a))
    const field = candidates.find((one) => isSorted(one) || isSorted(one, true))
    if (field === undefined) return []
    const isNumeric = isSorted(field, true) && isOtherAsNumber(records, field)
    const option = isNumeric ? `${field}:number` : field
    return option === name ? [] : [[name, option, all.length]]
  })
}

/** Whether the texts of a field have another order as numbers: some have more digits before the point. */
function isOtherAsNumber(records: readonly JsonRecord[], field: string): boolean {
  const texts = records.flatMap(({ [field]: value }) => (typeof value === 'string' ? value : []))
  return new Set(texts.map((text) => text.replace(/\..*$/, '').length)).size > 1
}

/** The paths of single values in records, also through lists. */
function pathsIn(records: readonly JsonRecord[]): string[] {
  const paths = new Set<string>()
  const visit = (value: Json, path: readonly string[]): void => {
    if (Array.isArray(value)) for (const item of value.slice(0, 5)) visit(item, path)
    else if (isRecord(value)) {
      if (path.length < 2)
        for (const key of Object.keys(value)) visit(value[key] ?? null, [...path, key])
    } else if (value !== null) paths.add(path.join('.'))
  }
  for (const record of records.slice(0, 50)) visit(record, [])
  return [...paths]
}

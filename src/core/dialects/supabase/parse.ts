import type { MockError } from '../../errors/mock-error.ts'
import type { Where } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import { refuse } from './errors.ts'

/** A request for records of a table, or for embedded records: the columns, the embeds, and what narrows them. */
export interface Selection {
  /** The name of a table, a foreign key or its constraint. */
  name: string
  alias?: string | undefined
  /** Chooses among several relationships: a foreign key, its constraint or a junction. */
  hint?: string | undefined
  isInner: boolean
  /** Whether the columns become columns of the parent. */
  isSpread: boolean
  columns: readonly SelectedColumn[]
  embeds: readonly Selection[]
  filters: Logic[]
  order?: readonly OrderTerm[]
  limit?: number
  offset?: number
}

/** A column in `select`, or all columns (`*`). */
export interface SelectedColumn {
  field: Field
  alias?: string | undefined
  cast?: string | undefined
}

/** A column and the keys into its JSON value: `settings->foo->>bar`. */
export interface Field {
  column: string
  steps: readonly { key: string; isIndex: boolean; asText: boolean }[]
}

/** A filter, several that `and` or `or` joins, or a condition that null never leaves unknown. */
export type Logic =
  | Filter
  | { join: 'and' | 'or'; isNegated: boolean; parts: readonly Logic[] }
  | { where: Where; isNegated: boolean }

export interface Filter {
  field: Field
  isNegated: boolean
  operator: string
  /** Whether any or all elements of an array have to match: `eq(any).{1,2}`. */
  quantifier?: 'any' | 'all' | undefined
  value: string
  /** The values of `in`. */
  values?: readonly string[]
}

/** A term of `order`: a field, or a field of an embedded record. */
export interface OrderTerm {
  relation?: string | undefined
  field: Field
  isDescending: boolean
  nullsFirst: boolean
}

const nameCharacters = String.raw`[\p{L}\p{N}_ $]+(?:-(?!>)[\p{L}\p{N}_ $]+)*`
const quoted = String.raw`"(?:[^"\\]|\\[^])*"`
const fieldName = new RegExp(`${quoted}|${nameCharacters}`, 'uy')
const jsonKey = new RegExp(`${quoted}|${String.raw`[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*`}`, 'uy')
const quotedElement = new RegExp(`${quoted}(?=[,)]|$)`, 'y')

/** The operators that compare with one value; those of the first group take `(any)` and `(all)`. */
const operator =
  /(?:(eq|gte|gt|lte|lt|like|ilike|match|imatch)(?:\((any|all)\))?|(neq|cs|cd|ov|sl|sr|nxr|nxl|adj|isdistinct)|(fts|plfts|phfts|wfts)(?:\([^)]*\))?)\./y

/** Parses the parameters of a request on a table. @throws MockError PGRST100 for a text that PostgREST cannot parse */
export function parseRequest(table: string, params: Params): Selection {
  const select = params.find(([name]) => name === 'select')?.[1] ?? '*'
  const root = { ...scan('select parameter', select).selection(), name: table }
  for (const [name, value] of params) {
    if (['select', 'columns', 'on_conflict'].includes(name)) continue
    const path = name.split('.')
    const kind = path.pop() ?? ''
    if (kind === 'and' || kind === 'or') {
      const embeds = path.filter((one) => one !== 'not')
      const parts = scan('logic tree', value).logicList()
      const isNegated = embeds.length < path.length
      embedAt(root, embeds).filters.push({ join: kind, isNegated, parts })
    } else if (kind === 'order') embedAt(root, path).order ??= scan('order', value).order()
    else if (kind === 'limit' || kind === 'offset') {
      if (/^-?\d+$/.test(value)) embedAt(root, path)[kind] ??= Number(value)
    } else {
      const { field, embeds } = scan('tree path', name).treePath()
      embedAt(root, embeds).filters.push(scan('filter', value).filter(field))
    }
  }
  return root
}

/** Parses a list of columns: `columns`, `on_conflict`. */
export function parseColumns(parameter: string, text: string): string[] {
  return scan(`${parameter} parameter`, text).names()
}

function embedAt(root: Selection, path: readonly string[]): Selection {
  return path.reduce((node, name) => {
    const found = findEmbed(node, name) ?? node.embeds.find((one) => one.name === name)
    if (found) return found
    throw notEmbedded(name)
  }, root)
}

/** Finds an embed by its alias, or by its name if it has none. */
export function findEmbed(
  { embeds }: Pick<Selection, 'embeds'>,
  name: string,
): Selection | undefined {
  return embeds.find((one) => (one.alias ?? one.name) === name)
}

export function notEmbedded(name: string): MockError {
  return refuse(
    400,
    'PGRST108',
    `'${name}' is not an embedded resource in this request`,
    null,
    `Verify that '${name}' is included in the 'select' query parameter.`,
  )
}

/** Creates the parser of a text; `label` names the text in errors. */
function scan(label: string, text: string) {
  let at = 0

  function match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = at
    const found = expression.exec(text) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }

  function fail(expected: string): MockError {
    const character = text.codePointAt(at)
    const quote = expected.endsWith('end of input') ? "'" : '"'
    const next =
      character === undefined ? 'end of input' : quote + String.fromCodePoint(character) + quote
    const message = `"failed to parse ${label} (${text})" (line 1, column ${at + 1})`
    return refuse(400, 'PGRST100', message, `unexpected ${next} expecting ${expected}`)
  }

  function expect(expression: RegExp, expected: string): string {
    const found = match(expression)
    if (found) return found[0]
    throw fail(expected)
  }

  function list<T>(parse: () => T): T[] {
    const found: T[] = []
    do {
      match(/\s*/y)
      found.push(parse())
      match(/\s*/y)
    } while (match(/,/y))
    return found
  }

  /** Parses what a text holds up to its end. */
  function whole<T>(parse: () => T, expected = '"," or end of input'): T {
    const parsed = parse()
    if (at < text.length) throw fail(expected)
    return parsed
  }

  const unquote = (part: string): string =>
    part.startsWith('"') ? part.slice(1, -1).replaceAll(/\\([^])/g, '$1') : part.trim()

  const name = (): string => unquote(expect(fieldName, 'field name (* or [a..z0..9_$])'))

  const field = (): Field => ({ column: name(), steps: steps() })

  function steps(): Field['steps'] {
    const found: Field['steps'][number][] = []
    for (let arrow = match(/->>?/y); arrow; arrow = match(/->>?/y)) {
      const index = match(/-?\d+(?=->|::|[.,)]|\s*$)/y)?.[0]
      if (index === undefined && match(/-/y)) throw fail('digit')
      const key =
        index ?? unquote(expect(jsonKey, 'any non reserved character different from: .,>()'))
      found.push({ key, isIndex: index !== undefined, asText: arrow[0] === '->>' })
    }
    return found
  }

  function selection(): Selection {
    const columns: SelectedColumn[] = []
    const embeds: Selection[] = []
    if (!match(/\s*(?=\)|$)/y)) list(() => select(columns, embeds))
    return { name: '', isInner: false, isSpread: false, columns, embeds, filters: [] }
  }

  function select(columns: SelectedColumn[], embeds: Selection[]): void {
    if (match(/\*(?=\s*(?:[,)]|$))/y)) {
      columns.push({ field: { column: '*', steps: [] } })
      return
    }
    const isSpread = match(/\.\.\./y) !== undefined
    let column = name()
    let alias: string | undefined
    if (!isSpread && match(/:(?!:)/y)) [alias, column] = [column, name()]
    const hints: string[] = []
    while (match(/!/y)) hints.push(name())
    if (isSpread || hints.length > 0 || text[at] === '(') {
      expect(/\(/y, '"("')
      if (column === 'count' && match(/\)/y)) throw noAggregates()
      const hint = hints.find((one) => one !== 'inner' && one !== 'left')
      embeds.push({
        ...selection(),
        name: column,
        alias,
        hint,
        isInner: hints.includes('inner'),
        isSpread,
      })
      expect(/\)/y, '")"')
      return
    }
    const selected = { column, steps: steps() }
    const cast = match(/::/y) && expect(/[\p{L}\p{N}_ $]+/uy, 'letter or digit').trim()
    if (match(/\.(?:sum|avg|count|max|min)\(\)/y)) throw noAggregates()
    columns.push({ field: selected, alias, cast })
  }

  function treePath(): { embeds: string[]; field: Field } {
    const embeds = [name()]
    while (match(/\./y)) embeds.push(name())
    return { field: { column: embeds.pop() ?? '', steps: steps() }, embeds }
  }

  function term(): OrderTerm {
    const first = field()
    const inner = match(/\(/y) && field()
    if (inner) expect(/\)/y, '")"')
    const isDescending = match(/\.(asc|desc)/y)?.[1] === 'desc'
    const nulls = match(/\.nulls(first|last)/y)?.[1]
    expect(
      /\s*(?=,|$)/y,
      nulls ? '"," or end of input' : '"asc", "desc", "nullsfirst" or "nullslast"',
    )
    const nullsFirst = nulls ? nulls === 'first' : isDescending
    return { relation: inner && first.column, field: inner ?? first, isDescending, nullsFirst }
  }

  /** Parses an operator and its value, which goes up to the end, in a tree up to a comma or bracket. */
  function filter(of: Field, isInTree = false): Filter {
    const isNegated = match(/not\./y) !== undefined
    const base = { field: of, isNegated }
    if (match(/in\./y)) {
      expect(/\s*\(\s*/y, '"("')
      const values = [element()]
      while (match(/,/y)) values.push(element())
      expect(/\s*\)\s*/y, '"," or ")"')
      // `in.()` finds no row.
      const listed = values.join('') === '' && values.length === 1 ? [] : values
      return { ...base, operator: 'in', value: '', values: listed }
    }
    if (match(/is\./y)) {
      const expected = 'isVal: (null, not_null, true, false, unknown)'
      const value = expect(/null|not_null|true|false|unknown/iy, expected).toLowerCase()
      return { ...base, operator: 'is', value }
    }
    const found = match(operator)
    if (!found) throw fail(`${isNegated ? '' : '"not" or '}operator (eq, gt, ...)`)
    const [, quantified, quantifier, simple, search = ''] = found
    const text = isInTree ? (match(/\{[^{}]*\}/y)?.[0] ?? element()) : expect(/[^]*/y, '')
    return {
      ...base,
      operator: quantified ?? simple ?? search,
      quantifier: quantifier as Filter['quantifier'],
      value: quantified?.endsWith('like') ? text.replaceAll('*', '%') : text,
    }
  }

  /** Parses an element of a list: quoted, or up to the next comma or bracket. */
  function element(): string {
    const inQuotes = match(quotedElement)
    return inQuotes ? unquote(inQuotes[0]) : expect(/[^,)]*/y, '')
  }

  function logic(): Logic {
    const [group, not, join] = match(/(not\.)?(and|or)\s*(?=\()/y) ?? []
    if (group !== undefined) {
      return {
        join: join === 'and' ? join : 'or',
        isNegated: not !== undefined,
        parts: logicList(),
      }
    }
    const of = field()
    expect(/\./y, 'delimiter (.)')
    return filter(of, true)
  }

  function logicList(): Logic[] {
    expect(/\s*\(/y, '"("')
    const parts = list(logic)
    expect(/\)/y, '"," or ")"')
    return parts
  }

  return {
    selection: () =>
      whole(selection, 'letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input'),
    names: () => whole(() => list(name)),
    order: () => whole(() => list(term)),
    treePath,
    filter: (of: Field) => filter(of),
    logicList,
  }
}

function noAggregates(): MockError {
  return refuse(400, 'PGRST123', 'Use of aggregate functions is not allowed')
}

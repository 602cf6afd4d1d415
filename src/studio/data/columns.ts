import { ownValue } from '../../core/json/json.ts'
import { type Field, type FieldKind } from './fields.ts'
import { withInner } from './ask-fields.ts'

/** How a person has arranged the columns of a collection; the browser remembers it. */
export interface ColumnSettings {
  /** The names of the fields in the order of the columns; others follow. */
  order?: readonly string[]
  hidden?: readonly string[]
  /** The fields inside of objects that have columns of their own. */
  inner?: readonly string[]
  /** The widths, in pixels, of the columns that were resized. */
  widths?: Readonly<Record<string, number>>
  /** How many columns stay at the left while the others scroll. @default 1 */
  frozen?: number
}

/** A column of the grid: its field, and its box in pixels. */
export interface Column {
  field: Field
  /** The distance from the left edge of the first column. */
  left: number
  width: number
  /** Whether the column stays at the left. */
  isFrozen: boolean
}

/** The fields that have columns, in their order: the id first, unless a person has arranged them. */
export function arrangeFields(
  fields: readonly Field[],
  { order = [], inner = [], hidden = [] }: ColumnSettings,
  idField: string,
): Field[] {
  const all = withInner(fields).filter(
    (field) => fields.includes(field) || inner.includes(field.name),
  )
  const rank = ({ name }: Field): number => {
    const at = order.indexOf(name)
    return at >= 0 ? at : name === idField && order.length === 0 ? -1 : order.length
  }
  return all
    .filter(({ name }) => name === idField || !hidden.includes(name))
    .toSorted((one, other) => rank(one) - rank(other))
}

/** Gives the fields their boxes. Free room goes to the columns of texts that nobody has resized. */
export function layoutColumns(
  fields: readonly Field[],
  { widths = {}, frozen = 1 }: ColumnSettings,
  idField: string,
  room: number,
): Column[] {
  const own = fields.map((field) => ownValue(widths, field.name) ?? usualWidth(field, idField))
  const free = room - own.reduce((sum, width) => sum + width, 0)
  const canGrow = ({ name, kind }: Field): boolean =>
    ownValue(widths, name) === undefined && name !== idField && growing.has(kind)
  const growingCount = fields.filter(canGrow).length
  const grown = Math.max(0, Math.min(280, Math.floor(free / Math.max(1, growingCount))))
  let left = 0
  return fields.map((field, at) => {
    const width = (own[at] ?? 0) + (canGrow(field) ? grown : 0)
    const column = { field, left, width, isFrozen: at < frozen && left + width < room / 2 }
    left += width
    return column
  })
}

const growing: ReadonlySet<FieldKind> = new Set(['string', 'text', 'json', 'any'])

/** The width of a column by the name and the kind of its field, in pixels. */
function usualWidth({ name, kind, format, relation }: Field, idField: string): number {
  const needed = Math.min(320, 62 + name.length * 7.5)
  const byKind = relation ? 170 : (kindWidths[kind] ?? 110)
  const least = name === idField ? (idWidths[format || kind] ?? 76) : byKind
  return Math.round(Math.max(needed, least))
}

const kindWidths: Readonly<Record<string, number>> = {
  text: 300,
  json: 200,
  'date-time': 180,
  string: 170,
}
const idWidths: Readonly<Record<string, number>> = { uuid: 290, string: 150 }

/** The order of columns after one of them was put in the place of another. */
export function moveColumn(
  columns: readonly Pick<Field, 'name'>[],
  name: string,
  target: string,
): string[] {
  const names = columns.map((one) => one.name)
  return names.filter((one) => one !== name).toSpliced(names.indexOf(target), 0, name)
}

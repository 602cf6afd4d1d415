import type { Field } from './values.ts'

/** Returns the width of the column of a field in the grid, in pixels, by the name and the kind of the field. */
export function widthOf({ name, kind, format }: Field, idField: string): number {
  const needed = Math.min(320, 34 + name.length * 8 + (format || kind).length * 6)
  return Math.max(
    needed,
    name === idField ? (idWidths[format || kind] ?? 96) : (widths[kind] ?? 120),
  )
}

/** The least widths of columns by kind, and those of ids by format or kind, in pixels. */
const widths: Readonly<Record<string, number>> = {
  text: 320,
  json: 240,
  'date-time': 210,
  string: 200,
}
const idWidths: Readonly<Record<string, number>> = { uuid: 300, string: 180 }

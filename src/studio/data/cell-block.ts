import type { Row } from '../app/state.ts'
import { type Field, parseValue, withFieldValue } from './fields.ts'

/** Texts to write into cells beside and below one another. */
export interface CellBlock {
  fields: readonly Field[]
  /** The rows: the record to change, or undefined for a new one below the last. */
  rows: readonly { record: Row | undefined; texts: readonly string[] }[]
}

/** The text of cells for the clipboard, as spreadsheets read it: tabs between cells, quotes around line breaks. */
export function toClipboard(values: readonly (readonly unknown[])[]): string {
  const single = values.length === 1 && values[0]?.length === 1
  const toCell = (value: unknown): string => {
    const text =
      value === undefined || value === null
        ? ''
        : typeof value === 'string'
          ? value
          : JSON.stringify(value)
    return !single && /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return values.map((row) => row.map(toCell).join('\t')).join('\n')
}

/** Reads the text of copied cells, as spreadsheets write it. */
export function fromClipboard(text: string): string[][] {
  if (text === '') return []
  if (!/[\t\n\r]/.test(text)) return [[text]]
  const rows: string[][] = []
  for (const [, quoted, plain, end] of text
    .replace(/\r?\n$/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|$)/g)) {
    if (rows.length === 0) rows.push([])
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '') break
    if (end !== '\t') rows.push([])
  }
  return rows
}

/** A record with the texts of a row of a block; an empty text of an optional field removes or empties it. */
export function withTexts(record: Row, fields: readonly Field[], texts: readonly string[]): Row {
  return fields.reduce((next, field, at) => {
    const text = texts[at]
    if (text === undefined || field.isReadOnly) return next
    const isNothing = text === '' && field.kind !== 'string' && field.kind !== 'text'
    const value =
      isNothing && !field.isNullable && !field.isRequired ? undefined : parseValue(text, field)
    return withFieldValue(next, field.name, value)
  }, record)
}

import papaparse from 'papaparse'
import type { Row } from '../app/state.ts'

/**
 * Parses pasted cells of a spreadsheet, or CSV. The first row has the names of the columns, which become the
 * keys of each further row.
 */
export function parseTable(text: string): Record<string, string>[] {
  const { data } = papaparse.parse<Record<string, string>>(text.replace(/\n+$/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
  })
  return data
}

/** Writes records as CSV; objects and lists as JSON. A text that a spreadsheet would run as a formula is escaped. */
export function toTable(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) =>
    columns.map((name) => {
      const value = row[name]
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    }),
  )
  return papaparse.unparse(
    { fields: columns, data: cells },
    { newline: '\n', escapeFormulae: true },
  )
}

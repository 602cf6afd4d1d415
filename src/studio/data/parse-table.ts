import papaparse from 'papaparse'

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

import papaparse from 'papaparse'

/** Reads the cells of a spreadsheet or CSV by the names in the first row. */
export function parseTable(text: string): Record<string, string>[] {
  const { data } = papaparse.parse<Record<string, string>>(text.replace(/\n+$/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
  })
  return data
}

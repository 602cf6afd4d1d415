import { state, type Row } from '../app/state.ts'
import { ask, dbPath, findRows } from '../control.ts'
import { saveFile } from '../parts/download-button.tsx'
import type { WindowQuery } from './record-window.ts'

/** Saves the records of a query as a file. */
export async function downloadAs(
  format: 'csv' | 'json',
  name: string,
  query: WindowQuery,
): Promise<void> {
  await downloadRows(format, name, await findRows(name, query))
}

/** Saves records as a file. */
export async function downloadRows(
  format: 'csv' | 'json',
  name: string,
  rows: readonly Row[],
): Promise<void> {
  const text =
    format === 'json'
      ? `${JSON.stringify(rows, null, 2)}\n`
      : (await import('./parse-table.ts')).toTable(rows)
  saveFile(new Blob([text]), `${name.replaceAll('/', '-')}.${format}`)
}

/** Saves all resources as a database file, which the mock can be started with. */
export async function downloadDatabase(): Promise<void> {
  const resources = state.value?.resources ?? []
  const values = await Promise.all(
    resources.map(async ({ name }) => [name, await ask<unknown>(dbPath(name))] as const),
  )
  const text = `${JSON.stringify(Object.fromEntries(values), null, 2)}\n`
  saveFile(new Blob([text]), 'db.json')
}

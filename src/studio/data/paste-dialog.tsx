import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { request, dbPath } from '../control.ts'
import { report } from '../app/notices.ts'
import { type Resource, type Row, toMessage } from '../app/state.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { idIn, insertRecord, removeRecords, writeEdit } from './edits.ts'
import { type Field, parseValue } from './values.ts'

/** The properties of {@link PasteDialog}. */
export interface PasteDialogProps {
  resource: Resource
  fields: readonly Field[]
  /** The pasted text. */
  text: string
  onEnd(): void
}

/** Takes the cells of a spreadsheet: the first row names the fields, each further row is a record. */
export function PasteDialog({ resource, fields, text: pasted, onEnd }: PasteDialogProps): VNode {
  const [text, setText] = useState(pasted)
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)

  async function take(): Promise<void> {
    setBusy(true)
    try {
      const rows = await readRows(text, fields)
      await writeRows(resource, rows)
      onEnd()
    } catch (caught) {
      setError(toMessage(caught))
      setBusy(false)
    }
  }

  const count = Math.max(0, text.split('\n').filter((line) => line.trim() !== '').length - 1)
  return (
    <Dialog title={`Paste into ${resource.name}`} onEnd={onEnd}>
      <p>
        Paste cells of a spreadsheet, CSV, or a JSON list. The first row names the fields:{' '}
        <code>
          {fields
            .slice(0, 4)
            .map(({ name }) => name)
            .join(', ')}
        </code>
        . A row with the id of a record changes this record; any other row adds one.
      </p>
      <textarea
        aria-label="Rows"
        rows={10}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Problem text={error} />
      <div class="bar">
        <button
          type="button"
          class="main"
          disabled={isBusy || count === 0}
          onClick={() => void take()}
        >
          {text.trim().startsWith('[')
            ? 'Add the list'
            : `Add ${count} ${count === 1 ? 'row' : 'rows'}`}
        </button>
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

/** Reads pasted rows as records, with the types of the fields. */
async function readRows(text: string, fields: readonly Field[]): Promise<Row[]> {
  if (text.trim().startsWith('[')) return JSON.parse(text) as Row[]
  const { parseTable } = await import('./parse-table.ts')
  return parseTable(text).map((cells, at) => {
    try {
      return toRecord(cells, fields)
    } catch (error) {
      throw new Error(`Row ${at + 1}: ${toMessage(error)}`, { cause: error })
    }
  })
}

/** An empty cell of an optional field leaves the field out. */
function toRecord(cells: Record<string, string>, fields: readonly Field[]): Row {
  const record: Row = {}
  for (const [name, text] of Object.entries(cells)) {
    const field = fields.find((one) => one.name === name.trim()) ?? anyField(name.trim())
    if (text !== '' || (field.isRequired && field.kind === 'string'))
      record[field.name] = parseValue(text, field)
    else if (field.isRequired && field.isNullable) record[field.name] = null
  }
  return record
}

function anyField(name: string): Field {
  return {
    name,
    kind: 'any',
    format: '',
    values: [],
    isNullable: true,
    isRequired: false,
    isReadOnly: false,
  }
}

/** Writes rows, with one way back for all of them. */
async function writeRows(resource: Resource, rows: readonly Row[]): Promise<void> {
  const added: string[] = []
  const changed: { base: Row; next: Row }[] = []
  const { idField = 'id', name } = resource
  for (const row of rows) {
    const id = row[idField]
    const isId = typeof id === 'string' || typeof id === 'number'
    const base = isId ? await findRecord(name, String(id)) : undefined
    if (!base) {
      added.push(idIn(resource, await insertRecord(resource, row)))
      continue
    }
    const next = { ...base, ...row, [idField]: base[idField] }
    const conflict = await writeEdit({ resource, id: idIn(resource, base), base, next })
    if (conflict)
      throw new Error(`The record ${idIn(resource, base)} has just been changed by others.`)
    changed.push({ base, next })
  }
  report(`Added ${added.length} and changed ${changed.length} records.`, async () => {
    if (added.length > 0) await removeRecords(resource, added)
    for (const { base, next } of changed) {
      await writeEdit({ resource, id: idIn(resource, base), base: next, next: base })
    }
  })
}

async function findRecord(name: string, id: string): Promise<Row | undefined> {
  const response = await request(dbPath(name), { params: { id } }).catch(() => undefined)
  return response && ((await response.json()) as Row)
}

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { changeAsOne } from '../app/notices.ts'
import { type Resource, type Row, toMessage } from '../app/state.ts'
import { insertRecord, readRecord, writeEdit } from './edits.ts'
import { type Field, parseValue } from './fields.ts'
import { idIn } from './pending-edits.ts'
import { useAction } from '../parts/action-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/problem.tsx'

/**
 * Writes pasted rows of a spreadsheet, CSV or JSON as records: the first row names the fields, each further
 * row is a record.
 */
export function PasteDialog(props: PasteDialogProps): VNode {
  const { resource, fields, loadFields, text: pasted, onEnd } = props
  const [text, setText] = useState(pasted)
  const [error, setError] = useState('')
  const { run: take, isRunning } = useAction(async () => {
    try {
      const rows = await readRows(text, await loadFields())
      await writeRows(resource, rows)
      onEnd()
    } catch (caught) {
      setError(toMessage(caught))
    }
  })

  const isList = isJsonList(text)
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
          disabled={count === 0 && !isList}
          aria-disabled={isRunning}
          onClick={() => void take()}
        >
          {isList ? 'Add the list' : `Add ${count} ${count === 1 ? 'row' : 'rows'}`}
        </button>
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

/** The properties of {@link PasteDialog}. */
export interface PasteDialogProps {
  resource: Resource
  fields: readonly Field[]
  /** The fields with the types of the schema, which may arrive after the records. */
  loadFields(): Promise<readonly Field[]>
  /** The pasted text. */
  text: string
  onEnd(): void
}

function isJsonList(text: string): boolean {
  return text.trim().startsWith('[')
}

/** Reads pasted rows as records, with the types of the fields. */
async function readRows(text: string, fields: readonly Field[]): Promise<Row[]> {
  if (isJsonList(text)) return JSON.parse(text) as Row[]
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
  return Object.fromEntries(
    Object.entries(cells).flatMap(([name, text]): [string, unknown][] => {
      const field = fields.find((one) => one.name === name.trim()) ?? anyField(name.trim())
      if (text !== '' || (field.isRequired && field.kind === 'string'))
        return [[field.name, parseValue(text, field)]]
      return field.isRequired && field.isNullable ? [[field.name, null]] : []
    }),
  )
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

/** Writes all rows or none, with one undo for all of them. */
async function writeRows(resource: Resource, rows: readonly Row[]): Promise<void> {
  const { idField = 'id' } = resource
  let added = 0
  await changeAsOne(async () => {
    for (const row of rows) {
      const isId = ['string', 'number'].includes(typeof row[idField])
      const id = idIn(resource, row)
      const { current: base } = isId ? await readRecord(resource, id) : {}
      if (base) {
        const next = { ...base, ...row, [idField]: base[idField] }
        if (await writeEdit({ resource, id, base, next }))
          throw new Error(`The record ${id} has just been changed by others.`)
      } else {
        await insertRecord(resource, row)
        added++
      }
    }
    return `Added ${added} and changed ${rows.length - added} records.`
  })
}

import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { type Resource, type Row, toMessage } from '../app/state.ts'
import { toField } from './ask-fields.ts'
import { findRecords, writeAll } from './edits.ts'
import { type Field, type RecordChecks, parseValue } from './fields.ts'
import { changedFields, idIn } from './pending-edits.ts'
import { ActionDialog } from '../parts/controls.tsx'
import { useOutcome } from '../parts/use-loaded.ts'
import { listFirst, plural } from '../parts/with-commas.ts'

/**
 * Writes pasted rows of a spreadsheet, CSV or JSON, or those of a file, as records: the first row names the fields,
 * each further row is a record. Shows before what each row does.
 */
export function PasteDialog(props: PasteDialogProps): VNode {
  const { resource, fields, loadFields, check, text: pasted, onEnd } = props
  const [text, setText] = useState(pasted)
  const read = async (): Promise<PlannedRow[]> =>
    planRows(resource, await readRows(text, await loadFields()), check)
  const { value: plan, problem } = useOutcome(read, [text], { delay: 200 })

  /** The text whose rows the schema forbids, and that the next press saves all the same. */
  const [refused, setRefused] = useState<string | undefined>()
  async function run(): Promise<void> {
    const rows = await read()
    const wrong = rows.flatMap((row, at) =>
      row.wrong ? [`row ${at + 1}, ${row.wrong.replace(/\.$/, '')}`] : [],
    )
    if (wrong.length > 0 && refused !== text) {
      setRefused(text)
      throw new Error(`The schema forbids ${listFirst(wrong)}.`)
    }
    await writeAll(resource, rows)
  }

  const isList = isJsonList(text)
  const names = fields.slice(0, 4).map(({ name }) => name)
  const count = Math.max(0, text.split('\n').filter((line) => line.trim() !== '').length - 1)
  return (
    <ActionDialog
      title={`Paste into ${resource.name}`}
      button={
        refused === text ? 'Save anyway' : isList ? 'Add the list' : `Add ${plural(count, 'row')}`
      }
      problem={isList || text.includes('\n') ? problem : ''}
      isDisabled={count === 0 && !isList}
      run={run}
      onEnd={onEnd}
    >
      <p class="dim">
        Paste cells of a spreadsheet, CSV, or a JSON list, or choose a file. The first row names the
        fields: <code>{names.join(', ')}</code>. A row with the id of a record changes this record;
        any other row adds one.
      </p>
      <textarea
        aria-label="Rows"
        rows={8}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <input
        type="file"
        aria-label="File"
        accept=".csv,.tsv,.json,.txt"
        onChange={({ currentTarget: { files } }) => void files?.[0]?.text().then(setText)}
      />
      {plan && plan.length > 0 && problem === '' && <PlanTable {...{ plan, resource }} />}
    </ActionDialog>
  )
}

interface PasteDialogProps extends RecordChecks {
  resource: Resource
  fields: readonly Field[]
  /** The pasted text. */
  text: string
  onEnd(): void
}

/** What a row does: changes the record `base`, or adds `next`. */
interface PlannedRow {
  base: Row | undefined
  next: Row
  /** Why the schema forbids the row; empty for no reason. */
  wrong: string
}

function PlanTable({ plan, resource }: { plan: readonly PlannedRow[]; resource: Resource }): VNode {
  const count = (isOne: (row: PlannedRow) => boolean): number => plan.filter(isOne).length
  const isChanged = ({ base, next }: PlannedRow): boolean =>
    base !== undefined && changedFields(base, next).length > 0
  const parts = [
    [count(({ base }) => !base), 'new'],
    [count(isChanged), 'changed'],
    [count((row) => row.base !== undefined && !isChanged(row)), 'the same'],
    [count(({ wrong }) => wrong !== ''), 'against the schema'],
  ] as const
  return (
    <>
      <p role="status">
        {parts
          .filter(([number]) => number > 0)
          .map(([number, name]) => `${number} ${name}`)
          .join(', ')}
      </p>
      <div class="preview" role="region" tabIndex={0} aria-label="Preview of the rows">
        <table>
          <tbody>
            {plan.slice(0, 50).map((row, at) => (
              <tr key={at}>
                <th scope="row" class="number">
                  {at + 1}
                </th>
                <td>
                  <span class={`badge ${row.base ? 'updated' : 'created'}`}>
                    {row.base ? (isChanged(row) ? 'changed' : 'same') : 'new'}
                  </span>
                </td>
                <td>{row.base && idIn(resource, row.base)}</td>
                <td>{JSON.stringify(row.next)}</td>
                <td class="warn">{row.wrong}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
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
      const field = fields.find((one) => one.name === name.trim()) ?? toField(name.trim())
      if (text !== '' || (field.isRequired && field.kind === 'string'))
        return [[field.name, parseValue(text, field)]]
      return field.isRequired && field.isNullable ? [[field.name, null]] : []
    }),
  )
}

/** Finds the records that rows change, by their ids. */
async function planRows(
  resource: Resource,
  rows: readonly Row[],
  check: PasteDialogProps['check'],
): Promise<PlannedRow[]> {
  const { idField = 'id' } = resource
  const ids = rows.flatMap((row) =>
    ['string', 'number'].includes(typeof row[idField]) ? [idIn(resource, row)] : [],
  )
  const found = ids.length > 0 ? await findRecords(resource, ids) : []
  const byId = new Map(found.map((record) => [idIn(resource, record), record]))
  return Promise.all(
    rows.map(async (row) => {
      const base = byId.get(idIn(resource, row))
      const next = base ? { ...base, ...row, [idField]: base[idField] } : row
      const [first] = Object.entries(await check(next))
      return { base, next, wrong: first ? `${first[0]}: ${first[1]}` : '' }
    }),
  )
}

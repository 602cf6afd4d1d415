import { ClipboardPaste, CloudOff, Ellipsis, Plus, Table2, WandSparkles, Columns3 } from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { ownValue } from '../../core/json/json.ts'
import { confirm } from '../app/confirm.tsx'
import { place, setParams } from '../app/router.ts'
import { problem, type Resource, type Row } from '../app/state.ts'
import { status } from '../app/status.ts'
import { ask, dbPath, findRows } from '../control.ts'
import { isLinked } from '../host.ts'
import { Menu } from '../parts/menu.tsx'
import { Problem, Press, Icon } from '../parts/controls.tsx'
import { listFirst, plural } from '../parts/with-commas.ts'
import { writeOrAsk } from '../record/conflict-dialog.tsx'
import { RecordPanel } from '../record/record-panel.tsx'
import { withFieldsOf, withInner } from './ask-fields.ts'
import { BulkBar } from './bulk-bar.tsx'
import { withTexts, type CellBlock } from './cell-block.ts'
import { SchemaError, type WriteCell } from './cell-editor.tsx'
import { arrangeFields, moveColumn, type ColumnSettings } from './columns.ts'
import { removeRecords, writeAll } from './edits.ts'
import { withFieldValue, type Field } from './fields.ts'
import { FilterBar } from './filter-bar.tsx'
import { GenerateDialog } from './generate-dialog.tsx'
import { Grid } from './grid.tsx'
import { nextSort, toListing, toQuery } from './listing.ts'
import { PasteDialog } from './paste-dialog.tsx'
import { changedFields } from './pending-edits.ts'
import { RowMenu, type RowMenuPlace } from './row-menu.tsx'
import { downloadAs, downloadDatabase } from './transfer.ts'
import { describeCollection, useDescription, withSuggestions } from './use-description.ts'
import { useWindow } from './use-window.ts'
import { remember, remembered } from '../parts/remember.ts'

/** Shows the records of a collection: the search and the filters, the grid, and the open record beside it. */
export function CollectionView({ resource }: { resource: Resource }): VNode {
  const { name, idField = 'id' } = resource
  const { params } = place.value
  const listing = useMemo(() => toListing(params), [params['sort'], params['q'], params['filter']])
  const [isStarted, setStarted] = useState(false)
  const { fields: known, relations, schema } = useDescription(name, isStarted)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [settings, setSettings] = useState(() => remembered<ColumnSettings>(`columns ${name}`, {}))
  const [pasted, setPasted] = useState<string | undefined>()
  const [menu, setMenu] = useState<RowMenuPlace | undefined>()
  const query = toQuery(listing, known ?? [])
  const records = useWindow(name, query)
  const fields = useMemo(
    () => withSuggestions(withFieldsOf(known ?? [], records.known()), records.known()),
    [known, records.known().length],
  )
  const columns = useMemo(
    () => arrangeFields(fields, settings, idField),
    [fields, settings, idField],
  )
  const marks = useMemo(() => marksOf(name), [status.value.changes, name])
  const total = records.total()
  useEffect(() => setStarted(isStarted || records.isLoaded()))
  // Checks are there when the first edit needs them, also once the mock no longer responds.
  useEffect(() => {
    if (known) void importChecker().catch(() => undefined)
  }, [known !== undefined])
  // A record that the list no longer shows is not selected.
  useEffect(() => setSelected(new Set()), [params['q'], params['filter']])

  function arrange(changed: ColumnSettings): void {
    const next = { ...settings, ...changed }
    setSettings(next)
    remember(`columns ${name}`, next)
  }

  /** The fields with the types of the schema, without which a text could be written as a number. */
  async function loadFields(): Promise<readonly Field[]> {
    if (known) return fields
    return withFieldsOf((await describeCollection(name)).fields ?? [], records.known())
  }

  /** The errors of a record by field, by the schema of the collection; none while the mock does not respond. */
  async function check(record: Row): Promise<Record<string, string>> {
    const checker = await importChecker().catch(() => undefined)
    const { schema: own } = known ? { schema } : await describeCollection(name)
    return checker?.checkRecord(record, own, idField) ?? {}
  }

  const write: WriteCell = async (record, field, toValue, isForced = false) => {
    const typed = withInner(await loadFields()).find((one) => one.name === field.name) ?? field
    if (typed.isReadOnly) throw new Error(`"${field.name}" is read-only.`)
    const next = withFieldValue(record, field.name, toValue(typed))
    const [top = ''] = changedFields(record, next)
    const wrong = isForced ? undefined : ownValue(await check(next), top)
    if (wrong !== undefined) throw new SchemaError(wrong)
    await writeOrAsk({ resource, id: String(record[idField]), base: record, next })
  }

  /** Writes pasted cells, or asks if the schema forbids some of them. */
  async function writeBlock({ fields: given, rows }: CellBlock): Promise<void> {
    const all = withInner(await loadFields())
    const typed = given.map((field) => all.find((one) => one.name === field.name) ?? field)
    const edits = rows.map(({ record, texts }) => ({
      base: record,
      next: withTexts(record ?? {}, typed.map(fixId), texts),
    }))
    const wrong = await Promise.all(edits.map(async ({ next }) => check(next)))
    const problems = wrong.flatMap((one, at) =>
      typed.flatMap(({ name: field }) => {
        const text = ownValue(one, field)
        return text === undefined ? [] : [`row ${at + 1}, ${field}: ${text}`]
      }),
    )
    const run = async (): Promise<void> => writeAll(resource, edits)
    if (problems.length === 0) return run()
    confirm({
      title: 'Some values do not fit the schema',
      text: listFirst(problems),
      button: 'Paste anyway',
      run,
    })
  }

  /** The id of a record cannot be changed, so that a column with ids is left out. */
  function fixId(field: Field): Field {
    return field.name === idField ? { ...field, isReadOnly: true } : field
  }

  function select(ids: readonly string[], isSelected: boolean): void {
    const next = new Set(selected)
    for (const id of ids) {
      if (isSelected) next.add(id)
      else next.delete(id)
    }
    setSelected(next)
  }

  async function selectAll(): Promise<void> {
    if (selected.size > 0) return setSelected(new Set())
    const { where, search } = query
    const found = await findRows(name, { where, search, limit: maxSelected })
    setSelected(new Set(found.map((record) => String(record[idField]))))
  }

  async function remove(): Promise<void> {
    const ids = [...selected]
    await removeRecords(resource, ids)
    setSelected((latest) => new Set([...latest].filter((id) => !ids.includes(id))))
  }

  /** Whether texts are a table with the names of fields in its first row. */
  function isTable([first = [], ...rest]: readonly string[][]): boolean {
    return (
      rest.length > 0 && first.every((one) => fields.some((field) => field.name === one.trim()))
    )
  }

  function paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const isInInput = (event.target as Element).closest(
      'input:not([type=checkbox]), textarea, dialog, [contenteditable], .json-editor',
    )
    if (isInInput || !text.includes('\t')) return
    event.preventDefault()
    setPasted(text)
  }

  function drop(event: DragEvent): void {
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    event.preventDefault()
    void file.text().then(setPasted)
  }

  const recordId = params['record']
  const isEmpty = listing.search === '' && listing.conditions.length === 0
  const generate = (): void => setParams({ generate: '1' }, true)
  const newRecord = (): void => setParams({ record: undefined, new: '1' })
  return (
    <section
      class={`data ${recordId === undefined && params['new'] === undefined ? '' : 'with-record'}`}
      onPaste={paste}
      onDragOver={(event) => event.dataTransfer?.types.includes('Files') && event.preventDefault()}
      onDrop={drop}
      aria-label="Data"
    >
      <div class="list">
        <header class="bar">
          <h2>
            {isLinked ? (
              resource.path
            ) : (
              <a
                href={`${resource.path}?_limit=20`}
                target="_blank"
                rel="noreferrer"
                title="Open as JSON"
              >
                {resource.path}
              </a>
            )}
          </h2>
          <span class="dim number" role="status">
            {total === undefined ? records.error() === '' && 'Loading…' : plural(total, 'record')}
          </span>
          <span class="gap" />
          <ColumnsMenu {...{ fields, settings, idField }} onChange={arrange} />
          <Menu label="More" icon={Ellipsis}>
            <Press text="Export this view as CSV" run={() => downloadAs('csv', name, query)} />
            <Press text="Export this view as JSON" run={() => downloadAs('json', name, query)} />
            <Press text="Export all as db.json" run={downloadDatabase} />
          </Menu>
          <Press icon={ClipboardPaste} text="Paste" run={() => setPasted('')} />
          <Press icon={WandSparkles} text="Generate" run={generate} />
          <Press icon={Plus} text="New record" kind="main" run={newRecord} />
        </header>
        {selected.size > 0 ? (
          <BulkBar
            {...{ resource, fields, selected: [...selected], onRemove: remove }}
            onEnd={() => setSelected(new Set())}
          />
        ) : (
          <FilterBar listing={listing} fields={withInner(fields)} name={name} />
        )}
        <Problem text={problem.value === '' ? records.error() : ''} />
        {records.error() !== '' && !records.isLoaded() ? (
          <div class="empty">
            <Icon of={CloudOff} />
            <p>The records appear here as soon as the mock responds.</p>
          </div>
        ) : total === 0 ? (
          <div class="empty">
            <Icon of={Table2} />
            {isEmpty ? 'No records yet.' : 'No record matches the filters.'}
            {isEmpty ? (
              <div class="bar">
                <Press text="Write the first one" run={newRecord} />
                <Press text="Import a file" run={() => setPasted('')} />
                <Press icon={WandSparkles} text="Make some up" run={generate} />
              </div>
            ) : (
              <Press
                text="Show all records"
                run={() => setParams({ q: undefined, filter: undefined })}
              />
            )}
          </div>
        ) : (
          <Grid
            {...{ name, idField, records, settings, selected, marks, isTable }}
            fields={columns}
            sort={listing.sort}
            openId={recordId}
            onSort={(field) => setParams({ sort: nextSort(listing.sort, field) }, true)}
            onSelect={select}
            onSelectAll={() => void selectAll()}
            onOpen={(record) => setParams({ record: String(record[idField]), new: undefined })}
            onMenu={(record, event) => {
              event.preventDefault()
              setMenu({ record, left: event.clientX, top: event.clientY })
            }}
            onResize={(field, width) => arrange({ widths: { ...settings.widths, [field]: width } })}
            onMove={(field, target) => arrange({ order: moveColumn(columns, field, target) })}
            onFindRow={async (id) =>
              ask<number>(`${dbPath(name)}/position`, { method: 'POST', input: { ...query, id } })
            }
            onWrite={write}
            onWriteBlock={writeBlock}
          />
        )}
      </div>
      {(recordId !== undefined || params['new'] !== undefined) && (
        <RecordPanel
          key={recordId ?? 'new'}
          {...{ resource, fields, relations, loadFields, check }}
          id={recordId}
        />
      )}
      {menu && <RowMenu {...{ resource, ...menu }} onEnd={() => setMenu(undefined)} />}
      {params['generate'] !== undefined && (
        <GenerateDialog
          {...{ resource, fields }}
          onEnd={() => setParams({ generate: undefined }, true)}
        />
      )}
      {pasted !== undefined && (
        <PasteDialog
          {...{ resource, fields, loadFields, check }}
          text={pasted}
          onEnd={() => setPasted(undefined)}
        />
      )}
    </section>
  )
}

const importChecker = async () => import('./check-record.ts')

/** The most records that are selected at once. */
const maxSelected = 10_000

/** How the records of a collection differ from the fixtures, by id. */
function marksOf(name: string): Map<string, ReadonlySet<string> | 'created'> {
  const own = status.value.changes.changes.filter((one) => one.collection === name && one.record)
  return new Map(
    own.map(({ id = '', type, record = {}, previous = {} }) => [
      id,
      type === 'created' ? type : new Set(changedFields(previous, record)),
    ]),
  )
}

/** The menu that hides and shows columns, and chooses how many stay at the left. */
function ColumnsMenu({ fields, settings, idField, onChange }: ColumnsMenuProps): VNode {
  const { hidden = [], inner = [], frozen = 1 } = settings
  const toggle = (list: readonly string[], name: string): string[] =>
    list.includes(name) ? list.filter((one) => one !== name) : [...list, name]
  return (
    <Menu label="Columns" icon={Columns3}>
      {fields.map((field) => (
        <div key={field.name}>
          <label>
            <input
              type="checkbox"
              checked={!hidden.includes(field.name)}
              disabled={field.name === idField}
              onChange={() => onChange({ hidden: toggle(hidden, field.name) })}
            />
            {field.name}
          </label>
          {field.inner?.map(({ name }) => (
            <label key={name} class="inner">
              <input
                type="checkbox"
                checked={inner.includes(name)}
                onChange={() => onChange({ inner: toggle(inner, name) })}
              />
              {name}
            </label>
          ))}
        </div>
      ))}
      <hr />
      <label>
        Columns that stay
        <input
          type="number"
          min={0}
          max={5}
          value={frozen}
          onInput={({ currentTarget: { value } }) => onChange({ frozen: Number(value) })}
        />
      </label>
      <Press text="Reset the columns" run={() => onChange(usual)} />
    </Menu>
  )
}

const usual: ColumnSettings = { hidden: [], inner: [], order: [], widths: {}, frozen: 1 }

interface ColumnsMenuProps {
  fields: readonly Field[]
  settings: ColumnSettings
  idField: string
  onChange(changed: ColumnSettings): void
}

import type { VNode } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { undoLast } from '../app/notices.ts'
import { hrefOf, place, setParams } from '../app/router.ts'
import { type Resource, type Row, findResource, revision, state } from '../app/state.ts'
import { removeRecords } from './edits.ts'
import { askFields, withFieldsOf } from './ask-fields.ts'
import { type Field, withValue } from './fields.ts'
import { FilterBar } from './filter-bar.tsx'
import { GenerateDialog } from './generate-dialog.tsx'
import { Grid } from './grid.tsx'
import { nextSort, toListing, toWhere } from './listing.ts'
import { PasteDialog } from './paste-dialog.tsx'
import { type Relation, askRelations } from './relations.ts'
import { useWindow } from './use-window.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { Problem } from '../parts/problem.tsx'
import { withCommas } from '../parts/with-commas.ts'
import { writeOrAsk } from '../record/conflict-dialog.tsx'
import { JsonForm } from '../record/json-form.tsx'
import type { Saved } from '../record/record-form.tsx'
import { RecordPanel } from '../record/record-panel.tsx'
import { useRecord } from '../record/use-record.ts'

/** Shows the data of the resource that the place names: a collection as a grid, any other resource as JSON. */
export function DataView(): VNode {
  const { name } = place.value
  const resource = findResource(name)
  if (!state.value) return <p class="empty">Loading…</p>
  if (!resource) return <Missing name={name} />
  return resource.kind === 'collection' ? (
    <CollectionView key={name} resource={resource} />
  ) : (
    <ValueView key={name} resource={resource} />
  )
}

function Missing({ name }: { name: string }): VNode {
  const [first] = state.value?.resources ?? []
  if (!first)
    return (
      <p class="empty">No fixtures yet. Add a file such as posts.json to the fixtures folder.</p>
    )
  return (
    <p class="empty">
      There is no resource "{name}". <a href={hrefOf('data', first.name)}>Show {first.name}</a>
    </p>
  )
}

function CollectionView({ resource }: { resource: Resource }): VNode {
  const { name, idField = 'id' } = resource
  const { params } = place.value
  const listing = useMemo(() => toListing(params), [params['sort'], params['q'], params['filter']])
  const [isStarted, setStarted] = useState(false)
  const described = useDescription(name, isStarted || listing.search !== '')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isPasting, setPasting] = useState<string | undefined>()
  const [isGenerating, setGenerating] = useState(false)
  const { fields: known, relations } = described
  const where = toWhere(listing, known ?? [])
  const records = useWindow(name, { where, sort: listing.sort })
  const fields = useMemo(
    () => idFirst(withFieldsOf(known ?? [], records.known()), idField),
    [known, records.known().length],
  )
  // The search is in the fields, which are known later than the first records.
  const total = listing.search !== '' && !known ? undefined : records.total()
  useEffect(() => setStarted(isStarted || records.isLoaded()))

  /** The fields with the types of the schema, without which a text could be written as a number. */
  async function loadFields(): Promise<readonly Field[]> {
    return known ? fields : withFieldsOf(await askFields(name), records.known())
  }

  async function write(
    record: Row,
    field: Field,
    toValue: (field: Field) => unknown,
  ): Promise<void> {
    const typed = (await loadFields()).find((one) => one.name === field.name) ?? field
    if (typed.isReadOnly) throw new Error(`"${field.name}" is read-only.`)
    const next = withValue(record, field.name, toValue(typed))
    await writeOrAsk({ resource, id: String(record[idField]), base: record, next })
  }

  function select(id: string): void {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }

  async function remove(): Promise<void> {
    await removeRecords(resource, [...selected])
    setSelected((latest) => new Set([...latest].filter((id) => !selected.has(id))))
  }

  function paste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const isInInput = (event.target as Element).closest(
      'input, textarea, dialog, [contenteditable]',
    )
    if (isInInput || !text.includes('\t')) return
    event.preventDefault()
    setPasting(text)
  }

  const recordId = params['record']
  return (
    <section
      class={`data ${recordId === undefined ? '' : 'with-record'}`}
      onPaste={paste}
      aria-label="Data"
    >
      <div class="list">
        <header class="bar">
          <h2>{resource.path}</h2>
          <span class="dim" role="status">
            {total === undefined
              ? records.error() === '' && 'Loading…'
              : `${withCommas(total)} ${total === 1 ? 'record' : 'records'}`}
          </span>
          <span class="gap" />
          {selected.size > 0 && (
            <ActionButton class="danger" onPress={remove}>
              Delete {selected.size}
            </ActionButton>
          )}
          <button type="button" onClick={() => setPasting('')}>
            Paste
          </button>
          <button type="button" onClick={() => setGenerating(true)}>
            Generate
          </button>
          <button type="button" class="main" onClick={() => setParams({ record: '', new: '1' })}>
            New record
          </button>
        </header>
        <FilterBar listing={listing} fields={fields} name={name} />
        <Problem text={records.error()} />
        {total === 0 ? (
          <p class="empty">
            {listing.search === '' && listing.conditions.length === 0
              ? 'No records yet.'
              : 'No record matches the filters.'}
          </p>
        ) : (
          <Grid
            {...{ name, idField, records, fields, relations, selected }}
            sort={listing.sort}
            onSort={(field) => setParams({ sort: nextSort(listing.sort, field) }, true)}
            onSelect={select}
            onOpen={(record) => setParams({ record: String(record[idField]), new: undefined })}
            onWrite={write}
            onUndo={() => void undoLast()}
          />
        )}
      </div>
      {(recordId !== undefined || params['new'] !== undefined) && (
        <RecordPanel
          key={recordId ?? 'new'}
          {...{ resource, fields, relations, loadFields }}
          id={recordId}
        />
      )}
      {isGenerating && (
        <GenerateDialog {...{ resource, fields }} onEnd={() => setGenerating(false)} />
      )}
      {isPasting !== undefined && (
        <PasteDialog
          {...{ resource, fields, loadFields }}
          text={isPasting}
          onEnd={() => setPasting(undefined)}
        />
      )}
    </section>
  )
}

interface Description {
  fields: Field[] | undefined
  relations: readonly Relation[]
}

/**
 * The fields and relations of a collection, which are fetched again when the data changes. The first time they are
 * fetched after the records, as the mock reads all records to describe them.
 */
function useDescription(name: string, isStarted: boolean): Description {
  const [described, setDescribed] = useState<Description>({ fields: undefined, relations: [] })
  useEffect(() => {
    let isLate = false
    if (!isStarted) return undefined
    const load = async (): Promise<void> => {
      const [fields, relations] = await Promise.all([askFields(name), askRelations()])
      if (!isLate)
        setDescribed((before) =>
          isEqual(before, fields, relations) ? before : { fields, relations },
        )
    }
    void load()
    return () => {
      isLate = true
    }
  }, [name, isStarted, revision.value])
  return described
}

function isEqual(before: Description, fields: Field[], relations: Relation[]): boolean {
  return JSON.stringify(before) === JSON.stringify({ fields, relations })
}

function idFirst(fields: readonly Field[], idField: string): Field[] {
  const isId = ({ name }: Field): boolean => name === idField
  return [...fields.filter(isId), ...fields.filter((field) => !isId(field))]
}

/**
 * Shows a resource that is not a collection: a singleton, which can be edited as JSON, or a document, which is
 * read-only.
 */
function ValueView({ resource }: { resource: Resource }): VNode {
  const { name, path, kind } = resource
  const { value, problem } = useRecord(name, undefined)

  async function save(base: Row, next: Row): Promise<Saved | undefined> {
    const isSaved = await writeOrAsk({ resource, id: undefined, base, next })
    return isSaved ? { title: name, record: next } : undefined
  }

  return (
    <section class="data" aria-label="Data">
      <div class="list">
        <header class="bar">
          <h2>{path}</h2>
          <span class="dim">{kind}</span>
        </header>
        <Problem text={problem} />
        {value !== undefined &&
          (kind === 'singleton' ? (
            <JsonForm title={name} record={value as Row} isNew={false} onSave={save} />
          ) : (
            <pre tabIndex={0} class="json">
              {JSON.stringify(value, null, 2)}
            </pre>
          ))}
      </div>
    </section>
  )
}

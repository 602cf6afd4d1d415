import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { inTurn, report } from '../app/notices.ts'
import { setParams } from '../app/router.ts'
import { type Resource, type Row, revision } from '../app/state.ts'
import { ask, dbPath } from '../control.ts'
import { insertRecord, removeRecords } from '../data/edits.ts'
import { idIn } from '../data/pending-edits.ts'
import { type Relation, keysOf, recordHref, referrersHref } from '../data/relations.ts'
import type { Field } from '../data/fields.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { copyText } from '../parts/copy-text.ts'
import { Problem } from '../parts/problem.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { writeOrAsk } from './conflict-dialog.tsx'
import { JsonForm } from './json-form.tsx'
import { RecordForm, type Saved } from './record-form.tsx'
import { useRecord } from './use-record.ts'

/** Shows a record beside the grid: as a form, as JSON, and with the records that it is related to. */
export function RecordPanel(props: RecordPanelProps): VNode {
  const { resource, fields, relations, loadFields, id } = props
  const { value, problem } = useRecord(resource.name, id, id === undefined)
  const record = id === undefined ? newRecord : (value as Row | undefined)
  const [chosen, setTab] = useState<string | undefined>()
  const [addedId, setAddedId] = useState<string | undefined>()
  const panel = useRef<HTMLElement>(null)
  // Back does not lead to a record that is gone.
  const close = (isGone = false): void => setParams({ record: undefined, new: undefined }, isGone)
  const title = id === undefined ? `New record of ${resource.name}` : `${resource.name} ${id}`

  // Goes to the added record, unless the panel was closed. Back does not lead to an empty form.
  useEffect(() => {
    if (addedId !== undefined) setParams({ record: addedId, new: undefined }, true)
  }, [addedId])

  async function save(base: Row, next: Row): Promise<Saved | undefined> {
    if (id === undefined) {
      const added = await inTurn(async () => insertRecord(resource, next))
      setAddedId(idIn(resource, added))
      return { title: `${resource.name} ${idIn(resource, added)}`, record: added }
    }
    const isSaved = await writeOrAsk({ resource, id, base, next })
    return isSaved ? { title, record: next } : undefined
  }

  async function remove(): Promise<void> {
    await removeRecords(resource, [id ?? ''])
    if (panel.current) close(true)
  }

  async function copy(): Promise<void> {
    await copyText(JSON.stringify(record, null, 2))
    report('Copied.')
  }

  useLayoutEffect(
    () => () => {
      // Otherwise, a keyboard would begin at the top of the page again.
      if (panel.current?.contains(document.activeElement))
        document.querySelector<HTMLElement>('[role=grid]')?.focus()
    },
    [],
  )
  const { idField = 'id', count } = resource
  // The form of an empty collection has no field but the id.
  const isBare = id === undefined && count === 0 && fields.every(({ name }) => name === idField)
  const tab = chosen ?? (isBare ? 'JSON' : 'Fields')
  const shared = {
    title,
    fields,
    idField,
    isNew: id === undefined,
    loadFields,
    onSave: save,
  }
  return (
    <aside
      ref={panel}
      class="record"
      aria-label={title}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <header class="bar">
        <h2 title={title}>{title}</h2>
        <span class="gap" />
        {id !== undefined && record && (
          <>
            <ActionButton onPress={copy}>Copy</ActionButton>
            <ActionButton class="danger" onPress={remove}>
              Delete
            </ActionButton>
          </>
        )}
        <button type="button" class="icon" aria-label="Close the record" onClick={() => close()}>
          ×
        </button>
      </header>
      <Problem text={problem} />
      {record && (
        <>
          <Tabs names={['Fields', 'JSON']} active={tab} onChoose={setTab} />
          {tab === 'JSON' ? (
            <JsonForm {...shared} record={record} />
          ) : (
            <RecordForm {...shared} record={record} />
          )}
          {id !== undefined && <RecordLinks {...{ resource, relations, record }} />}
        </>
      )}
    </aside>
  )
}

/** The properties of {@link RecordPanel}. */
export interface RecordPanelProps {
  resource: Resource
  fields: readonly Field[]
  relations: readonly Relation[]
  /** The fields with the types of the schema, which may arrive after the records. */
  loadFields(): Promise<readonly Field[]>
  /** The id of the record; undefined for a new one. */
  id: string | undefined
}

/** The record that a form of a new record starts with. */
const newRecord: Row = {}

/** Links to the records that a record refers to, and to those that refer to the record. */
function RecordLinks({ resource, relations, record }: RecordLinksProps): VNode | null {
  const { name, idField = 'id' } = resource
  const id = record[idField]
  const parents = relations.filter(({ from }) => from === name)
  const children = relations.filter(({ to }) => to === name)
  const counts = useCounts(children, id)
  if (parents.length + children.length === 0) return null
  return (
    <nav class="links" aria-label="Relations">
      <h3>Relations</h3>
      <ul>
        {parents.flatMap((relation) =>
          keysOf(record, relation).map((key) => (
            <li key={`${relation.field} ${key}`}>
              <a href={recordHref(relation.to, key)}>
                {relation.to} {key}
              </a>{' '}
              <span class="dim">by {relation.field}</span>
            </li>
          )),
        )}
        {children.map((relation, at) => (
          <li key={`${relation.from} ${relation.field}`}>
            <a href={referrersHref(relation, id)}>
              {counts[at] ?? '…'} {relation.from}
            </a>{' '}
            <span class="dim">with this {relation.field}</span>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The properties of {@link RecordLinks}. */
interface RecordLinksProps {
  resource: Resource
  relations: readonly Relation[]
  record: Row
}

/** The number of records by relation that refer to a record. */
function useCounts(relations: readonly Relation[], id: unknown): readonly (number | undefined)[] {
  const names = relations.map(({ from, field }) => `${from} ${field}`).join()
  const count = async ({ from, field }: Relation): Promise<number | undefined> =>
    ask<number>(`${dbPath(from)}/count`, {
      method: 'POST',
      input: { where: { [field]: { eq: String(id) } } },
    }).catch(() => undefined)
  const keys = [names, id, revision.value]
  return useLoaded(async () => Promise.all(relations.map(count)), keys) ?? []
}

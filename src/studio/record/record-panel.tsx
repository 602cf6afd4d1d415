import { Ellipsis, Trash2 } from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { root } from '../host.ts'
import { inTurn } from '../app/notices.ts'
import { setParams, hrefOf } from '../app/router.ts'
import { findResource, revision, type Resource, type Row } from '../app/state.ts'
import { findRows, ask, dbPath } from '../control.ts'
import { insertRecord, removeRecords } from '../data/edits.ts'
import { idIn } from '../data/pending-edits.ts'
import { keysOf, referrersHref, type Relation } from '../data/relations.ts'
import { recordActions } from '../data/row-menu.tsx'
import type { Field, RecordChecks } from '../data/fields.ts'
import { Press, Problem, Tabs, Cross } from '../parts/controls.tsx'
import { Menu } from '../parts/menu.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { writeOrAsk } from './conflict-dialog.tsx'
import { JsonForm } from './json-form.tsx'
import { RecordForm, type Saved } from './record-form.tsx'
import { useRecord } from './use-record.ts'
import { RelationChip } from '../data/cell.tsx'
import { withCommas } from '../parts/with-commas.ts'

/** Shows a record beside the grid: as a form, as JSON, and with the records that it is related to. */
export function RecordPanel(props: RecordPanelProps): VNode {
  const { resource, fields, relations, loadFields, check, id } = props
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

  useLayoutEffect(
    () => () => {
      // Otherwise, a keyboard would begin at the top of the page again.
      if (panel.current?.contains(root.activeElement))
        root.querySelector<HTMLElement>('[role=grid]')?.focus()
    },
    [],
  )
  const { idField = 'id', count } = resource
  // The form of an empty collection has no field but the id.
  const isBare = id === undefined && count === 0 && fields.every(({ name }) => name === idField)
  const tab = chosen ?? (isBare ? 'JSON' : 'Fields')
  const shared = {
    title,
    resource,
    fields,
    idField,
    isNew: id === undefined,
    nextId: useNextId(resource, fields, id === undefined),
    loadFields,
    check,
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
            <Menu label="Actions on the record" icon={Ellipsis}>
              {recordActions(resource, record)
                .filter(({ label }) => label !== 'Open' && label !== 'Delete')
                .map(({ icon, label, run }) => (
                  <Press icon={icon} text={label} key={label} run={run} />
                ))}
            </Menu>
            <Press icon={Trash2} text="Delete" kind="danger plain" run={remove} />
          </>
        )}
        <Cross label="Close the record" run={() => close()} />
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

interface RecordPanelProps extends RecordChecks {
  resource: Resource
  fields: readonly Field[]
  relations: readonly Relation[]
  /** The id of the record; undefined for a new one. */
  id: string | undefined
}

/** The record that a form of a new record starts with. */
const newRecord: Row = {}

/** Says which id the mock gives to a new record: of numbers the next one. */
function useNextId(
  { name, idField = 'id', count }: Resource,
  fields: readonly Field[],
  isNew: boolean,
): string | undefined {
  const isNumber = fields.find((field) => field.name === idField)?.kind === 'integer'
  const last = useLoaded(async () => {
    if (!isNew || !isNumber) return undefined
    const [row] = await findRows(name, { sort: `-${idField}`, limit: 1 })
    return Number(row?.[idField])
  }, [name, isNumber, isNew, count])
  return last ? `${last + 1}, given by the mock` : 'given by the mock'
}

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
              <RelationChip to={relation.to} id={key} tabIndex={0} />{' '}
              <span class="dim">
                of {relation.to} by {relation.field}
              </span>
            </li>
          )),
        )}
        {children.map((relation, at) => {
          const { from, field } = relation
          const isSingleton = findResource(from)?.kind !== 'collection'
          if (isSingleton && counts[at] === 0) return null
          return (
            <li key={`${from} ${field}`}>
              <a href={isSingleton ? hrefOf('data', from) : referrersHref(relation, id)}>
                {!isSingleton && `${counts[at] === undefined ? '…' : withCommas(counts[at])} `}
                {from}
              </a>{' '}
              <span class="dim">
                {isSingleton ? 'refers to it' : 'with this record'} by {field}
              </span>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

interface RecordLinksProps {
  resource: Resource
  relations: readonly Relation[]
  record: Row
}

/** The number of records by relation that refer to a record; of a singleton, 1 if it does. */
function useCounts(relations: readonly Relation[], id: unknown): readonly (number | undefined)[] {
  const names = relations.map(({ from, field }) => `${from} ${field}`).join()
  async function count(relation: Relation): Promise<number | undefined> {
    const { from, field } = relation
    if (findResource(from)?.kind !== 'collection') {
      const value = await ask<Row>(dbPath(from))
      return keysOf(value, relation).filter((key) => key === String(id)).length
    }
    const input = { where: { [field]: { eq: String(id) } } }
    return ask<number>(`${dbPath(from)}/count`, { method: 'POST', input })
  }
  const keys = [names, id, revision.value]
  const countAll = async (): Promise<(number | undefined)[]> =>
    Promise.all(relations.map(async (one) => count(one).catch(() => undefined)))
  return useLoaded(countAll, keys) ?? []
}

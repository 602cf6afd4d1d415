import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ask, ControlError, dbPath } from '../control.ts'
import { attempt, inTurn, report } from '../app/notices.ts'
import { setParams } from '../app/router.ts'
import { type Resource, revision, type Row, toMessage } from '../app/state.ts'
import { idIn, insertRecord, removeRecords } from '../data/edits.ts'
import type { Field } from '../data/values.ts'
import type { Relation } from '../data/relations.ts'
import { copyText } from '../parts/copy-text.ts'
import { Problem } from '../parts/problem.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { writeOrAsk } from './conflict-dialog.tsx'
import { JsonForm } from './json-form.tsx'
import { RecordForm } from './record-form.tsx'
import { RecordLinks } from './record-links.tsx'

/** The properties of {@link RecordPanel}. */
export interface RecordPanelProps {
  resource: Resource
  fields: readonly Field[]
  relations: readonly Relation[]
  /** The id of the record; undefined for a new one. */
  id: string | undefined
}

/** A record beside the grid: as a form, as JSON, and with its relations. */
export function RecordPanel(props: RecordPanelProps): VNode {
  const { resource, fields, relations, id } = props
  const [record, problem] = useRecord(resource, id)
  const [chosen, setTab] = useState<string | undefined>()
  // Back does not lead to a record that is gone.
  const close = (isGone = false): void => setParams({ record: undefined, new: undefined }, isGone)
  const title = id === undefined ? `New record of ${resource.name}` : `${resource.name} ${id}`

  async function save(base: Row, next: Row): Promise<boolean> {
    if (id === undefined) {
      const added = await inTurn(async () => insertRecord(resource, next))
      // Back does not lead to an empty form.
      setParams({ record: idIn(resource, added), new: undefined }, true)
      return true
    }
    return writeOrAsk({ resource, id, base, next })
  }

  const remove = (): void =>
    void attempt(async () => {
      await removeRecords(resource, [id ?? ''])
      close(true)
    })
  const copy = (): void =>
    void attempt(async () => {
      await copyText(JSON.stringify(record, null, 2))
      report('Copied.')
    })

  const panel = useRef<HTMLElement>(null)
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
            <button type="button" onClick={copy}>
              Copy
            </button>
            <button type="button" class="danger" onClick={remove}>
              Delete
            </button>
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

/** The record with an id as it is now, and why it cannot be shown. A record that was removed stays. */
function useRecord({ name }: Resource, id: string | undefined): [Row | undefined, string] {
  const [found, setFound] = useState<[Row | undefined, string]>([
    id === undefined ? {} : undefined,
    '',
  ])
  useEffect(() => {
    if (id === undefined) return undefined
    let isLate = false
    const fail = (error: unknown): void => {
      if (isLate) return
      const isGone = error instanceof ControlError && error.status === 404
      setFound(([known]) => {
        const gone = known ? 'This record was removed.' : `There is no record "${id}".`
        return [known, isGone ? gone : toMessage(error)]
      })
    }
    ask<Row>(dbPath(name), { params: { id } }).then(
      (record) => !isLate && setFound([record, '']),
      fail,
    )
    return () => {
      isLate = true
    }
  }, [name, id, revision.value])
  return found
}

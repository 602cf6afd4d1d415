import type { VNode } from 'preact'
import { request } from '../control.ts'
import { inTurn, report } from '../app/notices.ts'
import { refresh, type Row } from '../app/state.ts'
import { changedFields } from '../data/pending-edits.ts'
import { recordHref } from '../data/relations.ts'
import { hrefOf } from '../app/router.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { ValueTable } from '../parts/value-table.tsx'
import { useControl } from '../switches/use-control.ts'

/** Lists the differences from the fixtures, record by record, with buttons to save or discard them. */
export function ChangesView(): VNode {
  const found = useControl<Changes | undefined>('changes', undefined)
  const changes = found?.changes ?? []
  return (
    <section class="data page" aria-label="Changes">
      <header class="bar">
        <h2>Changes</h2>
        <span class="dim" role="status">
          {found
            ? `${found.total} ${found.total === 1 ? 'record differs' : 'records differ'} from the fixtures`
            : 'Loading…'}
        </span>
        <span class="gap" />
        {changes.length > 0 && (
          <>
            {found?.canSave && (
              <ActionButton onPress={async () => act('POST', 'Saved all changes to the fixtures.')}>
                Save all to fixtures
              </ActionButton>
            )}
            <ActionButton
              class="danger"
              onPress={async () => act('DELETE', 'Discarded all changes.')}
            >
              Discard all
            </ActionButton>
          </>
        )}
      </header>
      {found && !found.canSave && changes.length > 0 && (
        <p class="dim">This mock was not loaded from files, so that there are none to save to.</p>
      )}
      {found?.total === 0 && <p class="empty">The data is as the fixtures define it.</p>}
      {changes.map((one) => (
        <ChangeCard
          key={`${one.collection} ${one.id ?? ''}`}
          change={one}
          canSave={found?.canSave ?? false}
        />
      ))}
      {found && found.total > changes.length && (
        <p class="dim">The first {changes.length} are shown.</p>
      )}
    </section>
  )
}

/** A record that differs from the fixtures. */
interface Change {
  collection: string
  /** The id; undefined for a singleton. */
  id?: string
  type: 'created' | 'updated' | 'deleted'
  record?: Row
  previous?: Row
}

/** The differences between the data and the fixtures. */
interface Changes {
  total: number
  canSave: boolean
  changes: Change[]
}

async function act(method: 'POST' | 'DELETE', text: string, change?: Change): Promise<void> {
  const { collection, id } = change ?? {}
  const path = collection === undefined ? 'changes' : `changes/${encodeURIComponent(collection)}`
  await inTurn(async () => request(path, { method, ...(id !== undefined && { params: { id } }) }))
  report(text)
  await refresh()
}

function ChangeCard({ change, canSave }: { change: Change; canSave: boolean }): VNode {
  const { collection, id, type, record = {}, previous = {} } = change
  const title = id === undefined ? collection : `${collection} ${id}`
  const href = id === undefined ? hrefOf('data', collection) : recordHref(collection, id)
  return (
    <article class="group" aria-label={`${title} ${type}`}>
      <header class="bar">
        <h3>{type === 'deleted' ? title : <a href={href}>{title}</a>}</h3>
        <span class={`badge ${type}`}>{type}</span>
        <span class="gap" />
        {canSave && (
          <ActionButton
            onPress={async () => act('POST', `Saved ${title} to the fixtures.`, change)}
          >
            Save to fixtures
          </ActionButton>
        )}
        <ActionButton
          onPress={async () => act('DELETE', `Discarded the change of ${title}.`, change)}
        >
          Discard
        </ActionButton>
      </header>
      <ValueTable
        fields={changedFields(previous, record)}
        left={['Fixtures', previous]}
        right={['Now', record]}
      />
    </article>
  )
}

import { CircleCheck } from 'lucide'
import type { VNode } from 'preact'
import { inTurn, report } from '../app/notices.ts'
import { discardAll, undoPrefix } from '../app/confirm.tsx'
import { hrefOf, place, setParams } from '../app/router.ts'
import { findResource, refresh, revision, type Row, state } from '../app/state.ts'
import { isStatusKnown, status, type Change, type Changes } from '../app/status.ts'
import { ask, dbPath, request } from '../control.ts'
import { idIn, changedFields } from '../data/pending-edits.ts'
import { recordHref } from '../data/relations.ts'
import { Choice, Press, Page, Icon } from '../parts/controls.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { ValueTable } from '../parts/value-table.tsx'
import { plural } from '../parts/with-commas.ts'
import { writeOrAsk } from '../record/conflict-dialog.tsx'

/**
 * Lists the differences from the fixtures by collection and record, with buttons to save or discard them; or the
 * differences between two states of the data, of which snapshots are some.
 */
export function ChangesView(): VNode {
  const { from = '', to = '' } = place.value.params
  const snapshots = (state.value?.snapshots ?? []).filter((one) => !one.startsWith(undoPrefix))
  const isLive = from === '' && to === ''
  const compared = useLoaded(
    async () =>
      isLive || ask<Changes>('changes', { params: { ...(from && { from }), ...(to && { to }) } }),
    [from, to, revision.value],
  )
  const { canSave } = status.value.changes
  const found = isLive ? isStatusKnown.value && status.value.changes : compared
  const { total = 0, changes = [] } = typeof found === 'object' ? found : {}
  const states = [from || 'Fixtures', to || 'Now'] as const
  const names = [...new Set(changes.map(({ collection }) => collection))]
  return (
    <Page
      title="Changes"
      status={
        found
          ? `${total} ${total === 1 ? 'record differs' : 'records differ'} ${isLive ? 'from the fixtures' : `between ${states.join(' and ')}`}`
          : 'Loading…'
      }
      actions={
        isLive &&
        total > 0 && (
          <>
            <Press text="Discard all" kind="danger" run={discardAll} />
            {canSave && (
              <Press
                text="Save all to fixtures"
                kind="main"
                run={() => act('POST', 'Saved all changes to the fixtures.')}
              />
            )}
          </>
        )
      }
    >
      {snapshots.length > 0 && (
        <div class="bar">
          <Choice
            label="Compare"
            value={from}
            options={[['', 'Fixtures'], ...snapshots]}
            onChoose={(next) => setParams({ from: next }, true)}
          />
          <span class="dim">with</span>
          <Choice
            label="With"
            value={to}
            options={[['', 'Now'], ...snapshots]}
            onChoose={(next) => setParams({ to: next }, true)}
          />
        </div>
      )}
      {isLive && !canSave && total > 0 && (
        <p class="dim">This mock was not loaded from files, so that there are none to save to.</p>
      )}
      {found && total === 0 && (
        <div class="empty">
          <Icon of={CircleCheck} />
          <p>
            {isLive
              ? 'The data is as the fixtures define it.'
              : `${states.join(' and ')} are equal.`}
          </p>
        </div>
      )}
      {names.map((name) => {
        const own = changes.filter(({ collection }) => collection === name)
        return (
          <details key={name} open={own.length <= 50} class="changes">
            <summary>
              <strong>{name}</strong> <span class="dim">{describeCounts(own)}</span>
            </summary>
            {own.map((one) => (
              <ChangeCard key={one.id ?? ''} change={one} {...{ states, isLive, canSave }} />
            ))}
          </details>
        )
      })}
      {total > changes.length && <p class="dim">The first {changes.length} are shown.</p>}
    </Page>
  )
}

/** The numbers of changes by their types: `2 created, 1 deleted`. */
function describeCounts(changes: readonly Change[]): string {
  return (['created', 'updated', 'deleted'] as const)
    .map((type) => [changes.filter((one) => one.type === type).length, type] as const)
    .filter(([count]) => count > 0)
    .map(([count, type]) => `${count} ${type}`)
    .join(', ')
}

async function act(method: 'POST' | 'DELETE', text: string, change?: Change): Promise<void> {
  const { collection, id, record, previous } = change ?? {}
  const path = collection === undefined ? 'changes' : `changes/${encodeURIComponent(collection)}`
  const params = id === undefined ? {} : { id }
  const dataPath = dbPath(collection ?? '')
  await inTurn(async () => {
    await request(path, { method, params })
    // A discarded change of a record is made again by its undo.
    const again = async (): Promise<unknown> => {
      if (!record) return request(dataPath, { method: 'DELETE', params })
      if (!previous) return request(dataPath, { method: 'POST', input: record })
      return request(dataPath, { method: 'PUT', params, input: record })
    }
    report(text, method === 'DELETE' && change ? again : undefined)
  })
  await refresh()
}

interface ChangeCardProps {
  change: Change
  /** The names of the compared states. */
  states: readonly [left: string, right: string]
  /** Whether these are the fixtures and the present data, so that the change can be saved or discarded. */
  isLive: boolean
  canSave: boolean
}

function ChangeCard({ change, states: [left, right], isLive, canSave }: ChangeCardProps): VNode {
  const { collection, id, type, record = {}, previous = {} } = change
  const title = id === undefined ? collection : `${collection} ${id}`
  const href = id === undefined ? hrefOf('data', collection) : recordHref(collection, id)
  const fields = changedFields(previous, record)
  const table = (
    <ValueTable
      fields={fields}
      left={[left, previous]}
      right={[right, record]}
      onRevert={isLive && type === 'updated' ? async (field) => revert(change, field) : undefined}
    />
  )
  return (
    <article class="group" aria-label={`${title} ${type}`}>
      <header class="bar">
        <h3>{type === 'deleted' ? title : <a href={href}>{title}</a>}</h3>
        <span class={`badge ${type}`}>{type}</span>
        <span class="gap" />
        {isLive && (
          <Press
            text="Discard"
            kind="plain"
            run={() => act('DELETE', `Discarded the change of ${title}.`, change)}
          />
        )}
        {isLive && canSave && (
          <Press
            text="Save to fixtures"
            run={() => act('POST', `Saved ${title} to the fixtures.`, change)}
          />
        )}
      </header>
      {type === 'updated' ? (
        table
      ) : (
        <details>
          <summary class="dim">{plural(fields.length, 'field')}</summary>
          {table}
        </details>
      )}
    </article>
  )
}

/** Sets a field of a changed record back to the value of the fixtures. */
async function revert({ collection, record, previous }: Change, field: string): Promise<void> {
  const resource = findResource(collection)
  if (!resource || !record || !previous) return
  const { [field]: _now, ...rest } = record
  const next: Row = Object.hasOwn(previous, field) ? { ...record, [field]: previous[field] } : rest
  const id = resource.kind === 'collection' ? idIn(resource, record) : undefined
  await writeOrAsk({ resource, id, base: record, next })
}

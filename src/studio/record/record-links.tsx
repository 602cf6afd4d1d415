import type { VNode } from 'preact'
import { ask, dbPath } from '../control.ts'
import { type Resource, revision, type Row } from '../app/state.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { keysOf, recordHref, referrersHref, type Relation } from '../data/relations.ts'

/** Links to the records that a record refers to, and to those that refer to the record. */
export function RecordLinks({ resource, relations, record }: RecordLinksProps): VNode | null {
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
export interface RecordLinksProps {
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

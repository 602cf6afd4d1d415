import type { VNode } from 'preact'
import { findResource, revision, type Resource, type Row } from '../app/state.ts'
import { hrefOf } from '../app/router.ts'
import { ask, dbPath } from '../control.ts'
import { RelationChip } from '../data/cell.tsx'
import { type Relation, keysOf, referrersHref } from '../data/relations.ts'
import { useLoaded } from '../parts/use-loaded.ts'
import { withCommas } from '../parts/with-commas.ts'

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

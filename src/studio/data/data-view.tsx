import type { VNode } from 'preact'
import { NoFixtures } from '../app/home-view.tsx'
import { hrefOf, place } from '../app/router.ts'
import { findResource, state, type Resource, type Row } from '../app/state.ts'
import { JsonText } from '../parts/json-text.tsx'
import { Problem } from '../parts/controls.tsx'
import { writeOrAsk } from '../record/conflict-dialog.tsx'
import { JsonForm } from '../record/json-form.tsx'
import type { Saved } from '../record/record-form.tsx'
import { useRecord } from '../record/use-record.ts'
import { CollectionView } from './collection-view.tsx'

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
  return (
    <div class="empty">
      {first ? (
        <p>
          There is no resource "{name}". <a href={hrefOf('data', first.name)}>Show {first.name}</a>
        </p>
      ) : (
        <NoFixtures />
      )}
    </div>
  )
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
            <JsonText label={path} text={JSON.stringify(value, null, 2)} />
          ))}
      </div>
    </section>
  )
}

import type { VNode } from 'preact'
import type { Resource, Row } from '../app/state.ts'
import { Problem } from '../parts/problem.tsx'
import { writeOrAsk } from './conflict-dialog.tsx'
import { JsonForm } from './json-form.tsx'
import type { Saved } from './record-form.tsx'
import { useRecord } from './use-record.ts'

/**
 * Shows a resource that is not a collection: a singleton, which can be edited as JSON, or a document, which is
 * read-only.
 */
export function ValueView({ resource }: { resource: Resource }): VNode {
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

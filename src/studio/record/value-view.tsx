import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask, dbPath } from '../control.ts'
import { type Resource, revision, type Row, toMessage } from '../app/state.ts'
import { Problem } from '../parts/problem.tsx'
import { writeOrAsk } from './conflict-dialog.tsx'
import { JsonForm } from './json-form.tsx'

/** A singleton, which can be edited as JSON, or a document, which is read-only. */
export function ValueView({ resource }: { resource: Resource }): VNode {
  const [value, setValue] = useState<unknown>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    let isLate = false
    ask<unknown>(dbPath(resource.name)).then(
      (found) => !isLate && setValue(() => found),
      (error: unknown) => !isLate && setProblem(toMessage(error)),
    )
    return () => {
      isLate = true
    }
  }, [resource.name, revision.value])

  return (
    <section class="data" aria-label="Data">
      <div class="list">
        <header class="bar">
          <h2>{resource.path}</h2>
          <span class="dim">{resource.kind}</span>
        </header>
        <Problem text={problem} />
        {value !== undefined &&
          (resource.kind === 'singleton' ? (
            <JsonForm
              title={resource.name}
              record={value as Row}
              isNew={false}
              onSave={async (base, next) => writeOrAsk({ resource, id: undefined, base, next })}
            />
          ) : (
            <pre tabIndex={0} class="json">
              {JSON.stringify(value, null, 2)}
            </pre>
          ))}
      </div>
    </section>
  )
}

import { CircleCheck, CircleX, TriangleAlert } from 'lucide'
import type { VNode } from 'preact'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { findRows } from '../control.ts'
import { recordHref } from '../data/relations.ts'
import { describeCollection } from '../data/use-description.ts'
import { Page, Icon } from '../parts/controls.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { plural } from '../parts/with-commas.ts'
import { revision, state } from './state.ts'
import { status } from './status.ts'

/**
 * Lists the problems of the fixtures, such as a file that does not parse, with the lines around each place, and the
 * records that do not fit the schema of their collection.
 */
export function ProblemsView(): VNode {
  const { problems } = status.value
  const invalid = useLoaded(findInvalid, [revision.value])
  return (
    <Page
      title="Problems"
      status={`${plural(problems.length, 'problem')} in the fixtures, ${invalid ? plural(invalid.length, 'record') : 'no record yet'} against a schema`}
    >
      {problems.length === 0 && invalid?.length === 0 && (
        <div class="empty">
          <Icon of={CircleCheck} />
          Every fixture file and record is in order.
        </div>
      )}
      <ProblemList problems={problems} />
      {invalid && invalid.length > 0 && (
        <ul class="lines">
          {invalid.slice(0, 200).map(([name, id, text]) => (
            <li key={`${name} ${id}`}>
              <a href={recordHref(name, id)}>
                {name} {id}
              </a>
              <span class="warn">{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

/** Checks the first records of each collection against its schema. */
async function findInvalid(): Promise<[name: string, id: string, problem: string][]> {
  const { checkRecord } = await import('../data/check-record.ts')
  const collections = state.value?.resources.filter(({ kind }) => kind === 'collection') ?? []
  const found = collections.map(async ({ name, idField = 'id' }) => {
    const [{ schema }, records] = await Promise.all([
      describeCollection(name),
      findRows(name, { limit: maxChecked }),
    ])
    return records.flatMap((record): [string, string, string][] => {
      const [first] = Object.entries(checkRecord(record, schema, idField))
      return first ? [[name, String(record[idField]), first.join(': ')]] : []
    })
  })
  return (await Promise.all(found)).flat()
}

/** The most records of a collection that are checked: a check takes some 50 µs. */
const maxChecked = 2000

/** Lists problems with their files, places and frames. */
export function ProblemList({ problems }: { problems: readonly Diagnostic[] }): VNode {
  return (
    <ul class="problems">
      {problems.map((one, at) => (
        <li key={at} class="group">
          <p>
            <span class={one.severity === 'error' ? 'bad' : 'warn'}>
              <Icon of={one.severity === 'error' ? CircleX : TriangleAlert} />
            </span>{' '}
            <code>
              {one.file}
              {one.line !== undefined && `:${one.line}`}
              {one.column !== undefined && `:${one.column}`}
            </code>{' '}
            {one.message} {one.advice}
          </p>
          {one.frame !== undefined && <pre tabIndex={0}>{one.frame}</pre>}
        </li>
      ))}
    </ul>
  )
}

import { CircleCheck, CircleX, TriangleAlert } from 'lucide'
import type { VNode } from 'preact'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { Page } from '../parts/controls.tsx'
import { Icon } from '../parts/icon.tsx'
import { plural } from '../parts/with-commas.ts'
import { status } from './status.ts'

/** Lists the problems of the fixtures, such as a file that does not parse, with the lines around each place. */
export function ProblemsView(): VNode {
  const { problems } = status.value
  return (
    <Page title="Problems" status={`${plural(problems.length, 'problem')} in the fixtures`}>
      {problems.length === 0 && (
        <div class="empty">
          <Icon of={CircleCheck} />
          Every fixture file is in order.
        </div>
      )}
      <ProblemList problems={problems} />
    </Page>
  )
}

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

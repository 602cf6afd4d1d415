import { FileJson } from 'lucide'
import type { VNode } from 'preact'
import { Group } from './group.tsx'
import { useControl } from './use-control.ts'

interface Operations {
  operations: {
    method: string
    path: string
    action: string
    collection?: string
    isCorrected: boolean
  }[]
  problems: { place: string; reason: string }[]
}

/** Lists what the mock took each operation of its OpenAPI document for, and the parts that it cannot serve. */
export function OperationsGroup(): VNode {
  const { operations, problems } = useControl<Operations>('operations', {
    operations: [],
    problems: [],
  })
  return (
    <Group
      title="Operations of the document"
      icon={FileJson}
      text="A line of bind in the configuration, or x-fixtura in the document, corrects one."
    >
      <ul>
        {problems.map(({ place, reason }) => (
          <li key={place} class="danger">
            <code>{place}</code> {reason}
          </li>
        ))}
        {operations.map(({ method, path, action, collection, isCorrected }) => (
          <li key={`${method} ${path}`}>
            <code>
              {method} {path}
            </code>{' '}
            {collection === undefined ? action : `${collection}.${action}`}
            {isCorrected && <span class="dim"> corrected</span>}
          </li>
        ))}
      </ul>
    </Group>
  )
}

import { ownValue } from '../../core/json/json.ts'
import type { VNode } from 'preact'
import type { Row } from '../app/state.ts'
import { Value } from '../data/cell.tsx'

/** Shows two states of a record side by side, field by field, so that a person sees what has changed. */
export function ValueTable({ fields, left, right }: ValueTableProps): VNode {
  return (
    <table class="diff">
      <thead>
        <tr>
          {['Field', left[0], right[0]].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td class="before" dir="auto">
              <Value value={ownValue(left[1], field)} />
            </td>
            <td class="after" dir="auto">
              <Value value={ownValue(right[1], field)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The properties of {@link ValueTable}. */
export interface ValueTableProps {
  fields: readonly string[]
  left: readonly [title: string, record: Row]
  right: readonly [title: string, record: Row]
}

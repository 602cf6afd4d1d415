import type { VNode } from 'preact'
import type { Field } from './fields.ts'
import { type ColumnBox, selectWidth } from './grid-window.ts'

/** Shows the headings of the grid; a press on a heading sorts the records by its field. */
export function GridHead({ fields, boxes, columns, width, sort, onSort }: GridHeadProps): VNode {
  return (
    <div role="rowgroup" class="head" style={{ width: `${width}px` }}>
      <div role="row" aria-rowindex={1} class="row">
        <div role="columnheader" aria-colindex={1} class="cell check">
          <span class="hidden">Selected</span>
        </div>
        {columns.map((column) => {
          const field = fields[column]
          const { left = 0, width: size = 0 } = boxes[column] ?? {}
          if (!field) return null
          const order =
            sort === field.name ? 'ascending' : sort === `-${field.name}` ? 'descending' : 'none'
          return (
            <div
              key={field.name}
              role="columnheader"
              aria-colindex={column + 2}
              aria-sort={order}
              class="cell"
              style={{ left: `${selectWidth + left}px`, width: `${size}px` }}
            >
              <button
                type="button"
                title={`Sort by ${field.name}`}
                onClick={() => onSort(field.name)}
              >
                <span class="name">{field.name}</span>
                <span class="kind" aria-hidden="true">
                  {order === 'ascending'
                    ? '▲'
                    : order === 'descending'
                      ? '▼'
                      : field.format || field.kind}
                </span>
              </button>
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** The properties of {@link GridHead}. */
export interface GridHeadProps {
  fields: readonly Field[]
  boxes: readonly ColumnBox[]
  columns: readonly number[]
  width: number
  sort: string
  onSort(field: string): void
}

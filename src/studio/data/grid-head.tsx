import { ArrowDown, ArrowUp } from 'lucide'
import type { VNode } from 'preact'
import { dragWidth } from '../parts/drag-width.ts'
import { Icon } from '../parts/controls.tsx'
import type { Column } from './columns.ts'
import { fieldIcon } from './field-icon.ts'
import { selectWidth } from './grid-window.ts'

/**
 * Shows the headings of the grid. A press on a heading sorts the records by its field, a drag moves its column, and
 * its right edge resizes the column.
 */
export function GridHead(props: GridHeadProps): VNode {
  const { columns, shown, width, isAllSelected, onSelectAll } = props
  const frozen = shown.filter((at) => columns[at]?.isFrozen)
  const heading = (at: number): VNode | null => {
    const column = columns[at]
    return column ? <Heading key={column.field.name} {...props} column={column} at={at} /> : null
  }
  return (
    <div role="rowgroup" class="head" style={{ width: `${width}px` }}>
      <div role="row" aria-rowindex={1} class="row">
        <div role="none" class="frozen" style={{ width: `${frozenWidth(columns)}px` }}>
          <div role="columnheader" aria-colindex={1} class="cell check">
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label="Select all records"
              checked={isAllSelected}
              onChange={onSelectAll}
            />
          </div>
          {frozen.map(heading)}
        </div>
        {shown.filter((at) => !frozen.includes(at)).map(heading)}
      </div>
    </div>
  )
}

/** The heading of a column. */
function Heading(props: GridHeadProps & { column: Column; at: number }): VNode {
  const { column, at, idField, sort, onSort, onResize, onMove } = props
  const { field, left, width: size } = column
  const { name } = field
  const order = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'

  return (
    <div
      role="columnheader"
      aria-colindex={at + 2}
      aria-sort={order}
      class="cell"
      style={{ left: `${selectWidth + left}px`, width: `${size}px` }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={({ dataTransfer }) => onMove(dataTransfer?.getData('text/fixtura') ?? '', name)}
    >
      <button
        type="button"
        title={`Sort by ${name}`}
        draggable
        onDragStart={({ dataTransfer }) => dataTransfer?.setData('text/fixtura', name)}
        onClick={() => onSort(name)}
      >
        <Icon of={fieldIcon(field, idField)} />
        <span class="name">{name}</span>
        <span class="hidden" aria-hidden="true">
          {field.format || field.kind}
        </span>
        {order !== 'none' && <Icon of={order === 'ascending' ? ArrowUp : ArrowDown} />}
      </button>
      <span
        class="resize"
        aria-hidden="true"
        onPointerDown={(event) => dragWidth(event, size, (next) => onResize(name, next))}
        onDblClick={() => onResize(name, undefined)}
      />
    </div>
  )
}

/** The width of the part of a row that stays at the left, in pixels. */
export function frozenWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { isFrozen, width }) => sum + (isFrozen ? width : 0), selectWidth)
}

interface GridHeadProps {
  columns: readonly Column[]
  /** The indexes of the columns in the document. */
  shown: readonly number[]
  width: number
  idField: string
  sort: string
  isAllSelected: boolean
  onSort(field: string): void
  onSelectAll(): void
  /** Sets the width of a column; undefined fits it to its content. */
  onResize(field: string, width: number | undefined): void
  /** Puts a column in the place of another. */
  onMove(field: string, target: string): void
}

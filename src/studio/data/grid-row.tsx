import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Row } from '../app/state.ts'
import { CellContent } from './cell.tsx'
import type { Column } from './columns.ts'
import { type CellPosition, selectWidth } from './grid-window.ts'

/**
 * Shows a record as a row of the grid. While the grid is scrolled, a row in which nothing has changed is not
 * rendered again.
 */
export function GridRow(props: GridRowProps): VNode {
  return useMemo(() => renderRow(props), Object.values(props))
}

/** The properties of {@link GridRow}. */
export interface GridRowProps {
  name: string
  idField: string
  row: number
  /** The distance from the top of the list, in pixels. */
  top: number
  /** The record; undefined while it is on its way. */
  record: Row | undefined
  columns: readonly Column[]
  /** The indexes of the columns in the document. */
  shown: readonly number[]
  /** The width of the part that stays at the left, in pixels. */
  width: number
  /** The column of the active cell, if that is in this row. */
  activeColumn: number | undefined
  /** The first and the last column of the selected cells, if they are in this row. */
  from: number | undefined
  to: number | undefined
  isSelected: boolean
  /** Whether the record is open beside the grid. */
  isOpen: boolean
  /** How the record differs from the fixtures: the changed fields, all of a new record; undefined for no difference. */
  mark: ReadonlySet<string> | 'created' | undefined
  actions: { readonly current: RowActions }
}

/** The actions of the cells of a row. */
export interface RowActions {
  select(row: number, isRange: boolean): void
  choose(position: CellPosition, isRange: boolean): void
  /** Extends the selected cells to a cell, while the button of the mouse is down. */
  extend(position: CellPosition): void
  edit(): void
  menu(record: Row, event: MouseEvent): void
}

function renderRow(props: GridRowProps): VNode {
  const { idField, row, top, record, columns, shown, width, isSelected, isOpen } = props
  const { activeColumn, mark, actions } = props
  const frozen = shown.filter((at) => columns[at]?.isFrozen)
  const kind = `${isOpen ? 'open' : ''} ${mark === 'created' ? 'new' : mark ? 'changed' : ''}`
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      aria-current={isOpen ? 'true' : undefined}
      class={`row ${kind}`}
      style={{ top: `${top}px` }}
      onContextMenu={(event) => record && actions.current.menu(record, event)}
    >
      <div role="none" class="frozen" style={{ width: `${width}px` }}>
        <div
          role="gridcell"
          aria-colindex={1}
          id={cellId(row, -1)}
          class={`cell check ${activeColumn === -1 ? 'active' : ''}`}
        >
          {record && (
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Select ${String(record[idField])}`}
              checked={isSelected}
              onClick={({ shiftKey }) => actions.current.select(row, shiftKey)}
            />
          )}
        </div>
        {frozen.map((at) => renderCell(props, at))}
      </div>
      {shown.filter((at) => !frozen.includes(at)).map((at) => renderCell(props, at))}
    </div>
  )
}

function renderCell(props: GridRowProps, at: number): VNode | null {
  const { name, idField, row, record, columns, activeColumn, from = Infinity, to = -1 } = props
  const { mark, actions } = props
  const column = columns[at]
  if (!column) return null
  const { field, left, width } = column
  const { kind } = field
  const isNumber =
    (kind === 'number' || kind === 'integer') && !field.relation && field.name !== idField
  const isInRange = at >= from && at <= to
  const isChanged =
    mark !== undefined && mark !== 'created' && mark.has(field.name.split('.')[0] ?? '')
  const states = [
    activeColumn === at && 'active',
    isInRange && 'in-range',
    isNumber && 'number',
    isChanged && 'changed',
  ]
  return (
    <div
      key={field.name}
      role="gridcell"
      aria-colindex={at + 2}
      id={cellId(row, at)}
      dir="auto"
      class={`cell ${states.filter(Boolean).join(' ')}`}
      style={{ left: `${selectWidth + left}px`, width: `${width}px` }}
      onMouseDown={({ shiftKey, button }) =>
        button === 0 && actions.current.choose({ row, column: at }, shiftKey)
      }
      onMouseEnter={({ buttons }) => buttons === 1 && actions.current.extend({ row, column: at })}
      onDblClick={() => actions.current.edit()}
    >
      {record && <CellContent {...{ name, record, field, idField }} />}
    </div>
  )
}

/** The id of a cell in the document. */
export function cellId(row: number, column: number): string {
  return `cell-${row}-${column}`
}

import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Row } from '../app/state.ts'
import { CellContent } from './cell.tsx'
import { type CellPosition, type ColumnBox, selectWidth } from './grid-window.ts'
import type { Relation } from './relations.ts'
import type { Field } from './fields.ts'

/**
 * Shows a record as a row of the grid. While the grid is scrolled, a row in which nothing has changed is not
 * rendered again.
 */
export function GridRow(props: GridRowProps): VNode {
  const { row, top, record, fields, relations, columns, boxes, activeColumn, isSelected } = props
  return useMemo(
    () => renderRow(props),
    [row, top, record, fields, relations, columns, boxes, activeColumn, isSelected],
  )
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
  fields: readonly Field[]
  relations: readonly Relation[]
  /** The indexes of the columns in the viewport, and the boxes of all. */
  columns: readonly number[]
  boxes: readonly ColumnBox[]
  /** The column of the active cell, if that is in this row. */
  activeColumn: number | undefined
  isSelected: boolean
  actions: { readonly current: RowActions }
}

/** The actions of the cells of a row. */
export interface RowActions {
  select(id: string): void
  choose(position: CellPosition): void
  edit(): void
}

function renderRow(props: GridRowProps): VNode {
  const { name, idField, row, top, record, fields, relations, columns, boxes } = props
  const { activeColumn, isSelected, actions } = props
  const id = String(record?.[idField])
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isSelected}
      class="row"
      style={{ top: `${top}px` }}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        id={cellId(row, -1)}
        class={cellClass(activeColumn === -1, 'check')}
      >
        {record && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${id}`}
            checked={isSelected}
            onChange={() => actions.current.select(id)}
          />
        )}
      </div>
      {columns.map((column) => {
        const field = fields[column]
        const { left = 0, width = 0 } = boxes[column] ?? {}
        if (!field) return null
        return (
          <div
            key={field.name}
            role="gridcell"
            aria-colindex={column + 2}
            id={cellId(row, column)}
            dir="auto"
            class={cellClass(activeColumn === column)}
            style={{ left: `${selectWidth + left}px`, width: `${width}px` }}
            onMouseDown={() => actions.current.choose({ row, column })}
            onDblClick={() => actions.current.edit()}
          >
            {record && <CellContent {...{ name, record, field, idField, relations }} />}
          </div>
        )
      })}
    </div>
  )
}

/** The id of a cell in the document. */
export function cellId(row: number, column: number): string {
  return `cell-${row}-${column}`
}

function cellClass(isActive: boolean, kind = ''): string {
  return `cell ${kind} ${isActive ? 'active' : ''}`
}

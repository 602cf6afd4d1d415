import type { VNode } from 'preact'
import type { Row } from '../app/state.ts'
import { CellContent } from './cell.tsx'
import { type CellPlace, type ColumnPlace, selectWidth } from './grid-window.ts'
import type { Relation } from './relations.ts'
import type { Field } from './values.ts'

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
  /** The indexes of the columns in the viewport, and the places of all. */
  columns: readonly number[]
  places: readonly ColumnPlace[]
  active: CellPlace
  isSelected: boolean
  onSelect(id: string): void
  onChoose(place: CellPlace): void
  onEdit(): void
}

/** A record in the grid. */
export function GridRow(props: GridRowProps): VNode {
  const { name, idField, row, top, record, fields, relations, columns, places, active } = props
  const { isSelected, onSelect, onChoose, onEdit } = props
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
        class={cellClass(active, row, -1, 'check')}
      >
        {record && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${id}`}
            checked={isSelected}
            onChange={() => onSelect(id)}
          />
        )}
      </div>
      {columns.map((column) => {
        const field = fields[column]
        const { left = 0, width = 0 } = places[column] ?? {}
        if (!field) return null
        return (
          <div
            key={field.name}
            role="gridcell"
            aria-colindex={column + 2}
            id={cellId(row, column)}
            class={cellClass(active, row, column, '')}
            style={{ left: `${selectWidth + left}px`, width: `${width}px` }}
            onMouseDown={() => onChoose({ row, column })}
            onDblClick={onEdit}
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

function cellClass(active: CellPlace, row: number, column: number, kind: string): string {
  return `cell ${kind} ${active.row === row && active.column === column ? 'active' : ''}`
}

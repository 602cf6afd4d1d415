import type { VNode } from 'preact'
import type { Row } from '../app/state.ts'
import { CellEditor } from './cell-editor.tsx'
import { type CellPosition, type ColumnBox, selectWidth } from './grid-window.ts'
import { ownValue } from './own-value.ts'
import type { Field } from './values.ts'

/** Lays the editor of a cell over the cell in the grid. */
export function EditedCell(props: EditedCellProps): VNode {
  const { editing, current, column, top, box, onWrite, onEnd } = props
  const { start, record, field, row } = editing
  return (
    <div role="row" aria-rowindex={row + 2} class="row editing" style={{ top: `${top}px` }}>
      <div
        role="gridcell"
        aria-colindex={column + 2}
        class="cell edited"
        style={{ left: `${selectWidth + box.left}px`, width: `${box.width}px` }}
      >
        <CellEditor
          field={field}
          value={ownValue(record, field.name)}
          current={ownValue(current, field.name)}
          start={start}
          onSave={async (toValue) => onWrite(record, field, toValue)}
          onEnd={onEnd}
        />
      </div>
    </div>
  )
}

/** The edit of a cell: the record as it was when the edit began. */
export interface Editing {
  /** The character that began the edit, which replaces the text. */
  start: string | undefined
  record: Row
  field: Field
  /** The index of the record, which others can move. */
  row: number
}

/** The properties of {@link EditedCell}. */
export interface EditedCellProps {
  editing: Editing
  /** The record as it is now. */
  current: Row
  column: number
  /** The distance from the top of the list, in pixels. */
  top: number
  box: ColumnBox
  onWrite(record: Row, field: Field, toValue: (field: Field) => unknown): Promise<void>
  onEnd(step?: CellPosition): void
}

import type { VNode } from 'preact'
import type { Row } from '../app/state.ts'
import { CellEditor } from './cell-editor.tsx'
import { type CellPosition, type ColumnBox, selectWidth } from './grid-window.ts'
import { ownValue } from './own-value.ts'
import type { Field } from './values.ts'

/** The edit of a cell: the record as it was when the edit began. */
export interface Editing {
  /** The character that began the edit, which replaces the text. */
  start: string | undefined
  record: Row
  field: Field
}

/** The properties of {@link EditedCell}. */
export interface EditedCellProps {
  editing: Editing
  /** The record as it is now. */
  current: Row
  position: CellPosition
  /** The distance from the top of the list, in pixels. */
  top: number
  box: ColumnBox
  onWrite(record: Row, field: Field, value: unknown): Promise<void>
  onEnd(step?: CellPosition): void
}

/** The editor of a cell, over the cell. */
export function EditedCell(props: EditedCellProps): VNode {
  const { editing, current, position, top, box, onWrite, onEnd } = props
  const { start, record, field } = editing
  return (
    <div
      role="row"
      aria-rowindex={position.row + 2}
      class="row editing"
      style={{ top: `${top}px` }}
    >
      <div
        role="gridcell"
        aria-colindex={position.column + 2}
        class="cell edited"
        style={{ left: `${selectWidth + box.left}px`, width: `${box.width}px` }}
      >
        <CellEditor
          field={field}
          value={ownValue(record, field.name)}
          current={ownValue(current, field.name)}
          start={start}
          onSave={async (value) => onWrite(record, field, value)}
          onEnd={onEnd}
        />
      </div>
    </div>
  )
}

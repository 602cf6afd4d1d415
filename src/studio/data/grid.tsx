import { ownValue } from '../../core/json/json.ts'
import type { VNode } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { attempt } from '../app/notices.ts'
import type { Row } from '../app/state.ts'
import { EditedCell, type Editing } from './cell-editor.tsx'
import { type Field, emptyValue } from './fields.ts'
import { GridHead } from './grid-head.tsx'
import { GridRow, type RowActions, cellId } from './grid-row.tsx'
import {
  type CellPosition,
  columnsAt,
  rowHeight,
  rowsAt,
  scrollTo,
  selectWidth,
  toColumnBoxes,
} from './grid-window.ts'
import type { RecordWindow } from './record-window.ts'
import type { Relation } from './relations.ts'

/**
 * Shows the records of a collection as a grid that can be edited. Only the cells in the viewport are in the
 * document.
 */
export function Grid(props: GridProps): VNode {
  const { name, idField, records, fields, relations, selected } = props
  const grid = useRef<HTMLDivElement>(null)
  const { top, left, height, width } = useViewport(grid)
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  const [editing, setEditing] = useState<Editing | undefined>()
  const actions = useRef<RowActions>({ select: props.onSelect, choose, edit: () => edit() })
  const count = records.total() ?? 0
  const boxes = useMemo(
    () => toColumnBoxes(fields.map((field) => widthOf(field, idField))),
    [fields, idField],
  )
  const full = selectWidth + boxes.reduce((sum, one) => sum + one.width, 0)
  const bodyHeight = height - rowHeight
  const range = rowsAt(top, bodyHeight, count)
  const inView = columnsAt(boxes, left, width)
  const columns = useMemo(() => inView, [boxes, inView[0], inView.length])

  const shown = Array.from(
    { length: Math.max(0, range.last - range.first + 1) },
    (_, at) => range.first + at,
  )
  // Another order is shown from its first record; the event of this scroll brings its range.
  useLayoutEffect(() => {
    if (grid.current) grid.current.scrollTop = 0
    setActive((before) => (before.row === 0 ? before : { ...before, row: 0 }))
  }, [records])
  const asked = useRef(records)
  useLayoutEffect(() => {
    const { first, last } = range
    if (asked.current === records || top === 0) records.need(first, Math.max(first, last))
    asked.current = records
  })

  // The editor stays with its record, which moves when others add or remove records.
  const isEdited = (row: number): boolean =>
    editing !== undefined && records.at(row)?.[idField] === editing.record[idField]
  const editedRow = editing && [editing.row, ...shown].find(isEdited)
  const found = editedRow === undefined ? undefined : records.at(editedRow)
  const editedColumn = fields.findIndex(({ name }) => name === editing?.field.name)
  const isAtEditor = active.row === editing?.row && active.column === editedColumn
  if (editing && editedRow !== undefined && editedRow !== editing.row) {
    setEditing({ ...editing, row: editedRow })
    if (isAtEditor) setActive({ ...active, row: editedRow })
  }

  /** Makes a cell the active one, and scrolls to it. */
  function move({ row, column }: CellPosition): void {
    const node = grid.current
    const next = {
      row: Math.max(0, Math.min(count - 1, row)),
      column: Math.max(-1, Math.min(fields.length - 1, column)),
    }
    setActive(next)
    if (!node) return
    node.scrollTop = scrollTo(next.row, node.scrollTop, bodyHeight, count)
    const { left: start = 0, width: size = 0 } = boxes[next.column] ?? {}
    if (start < node.scrollLeft) node.scrollLeft = start
    const end = selectWidth + start + size
    if (end > node.scrollLeft + width) node.scrollLeft = end - width
  }

  function edit(start?: string): void {
    const record = records.at(active.row)
    const field = fields[active.column]
    if (!record || !field) return
    const value = ownValue(record, field.name)
    // Objects and lists need more room than a cell has.
    const isLarge = typeof value === 'object' && value !== null
    if (field.name === idField || isLarge) props.onOpen(record)
    else if (!field.isReadOnly) setEditing({ start, record, field, row: active.row })
  }

  /** Sets the active cell to null, or removes its field where the field is optional. */
  function clear(record: Row): void {
    const field = fields[active.column]
    if (!field || field.isReadOnly || field.name === idField) return
    void attempt(async () => props.onWrite(record, field, emptyValue))
  }

  function endEdit(step?: CellPosition): void {
    setEditing(undefined)
    // A press outside of the grid has moved the focus, and a press on another cell has chosen this cell.
    if (grid.current?.contains(document.activeElement)) grid.current.focus()
    if (step && isAtEditor)
      move({ row: active.row + step.row, column: active.column + step.column })
  }

  function press(event: KeyboardEvent): void {
    if (event.target !== grid.current) return
    const { key, ctrlKey, metaKey, altKey } = event
    const isCommand = ctrlKey || metaKey
    const page = Math.max(1, Math.floor(bodyHeight / rowHeight) - 1)
    const next = moveBy(key, isCommand, active, { page, rows: count, columns: fields.length })
    const record = records.at(active.row)
    if (next) move(next)
    else if (isCommand && key === 'z') props.onUndo()
    else if (isCommand || altKey) return
    else if (key === 'Enter' || key === 'F2') edit()
    else if (key === ' ' && record) props.onSelect(String(record[idField]))
    else if (key === 'Delete' && record) clear(record)
    else if (key.length === 1 && active.column >= 0) edit(key)
    else return
    event.preventDefault()
  }

  function copy(event: ClipboardEvent): void {
    const value = ownValue(records.at(active.row) ?? {}, fields[active.column]?.name ?? '')
    if (editing || value === undefined || event.target !== grid.current) return
    event.clipboardData?.setData(
      'text/plain',
      typeof value === 'string' ? value : JSON.stringify(value),
    )
    event.preventDefault()
  }

  function choose(position: CellPosition): void {
    setActive(position)
    grid.current?.focus()
  }

  actions.current = { select: props.onSelect, choose, edit: () => edit() }
  return (
    <div
      ref={grid}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={`Records of ${name}`}
      aria-rowcount={count + 1}
      aria-colcount={fields.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={
        shown.includes(active.row) ? cellId(active.row, active.column) : undefined
      }
      onKeyDown={press}
      onCopy={copy}
    >
      <GridHead
        {...{ fields, boxes, columns, width: full, sort: props.sort, onSort: props.onSort }}
      />
      <div role="rowgroup" class="rows" style={{ height: `${range.height}px`, width: `${full}px` }}>
        {shown.map((row) => {
          const record = records.at(row)
          return (
            <GridRow
              key={row}
              {...{ name, idField, row, record, fields, relations, columns, boxes, actions }}
              activeColumn={active.row === row ? active.column : undefined}
              top={range.top + (row - range.first) * rowHeight}
              isSelected={record !== undefined && selected.has(String(record[idField]))}
            />
          )
        })}
        {editing && (
          <EditedCell
            key={`${String(editing.record[idField])} ${editing.field.name}`}
            editing={editing}
            current={found ?? editing.record}
            column={editedColumn}
            top={range.top + (editing.row - range.first) * rowHeight}
            box={boxes[editedColumn] ?? { left: 0, width: 0 }}
            onWrite={props.onWrite}
            onEnd={endEdit}
          />
        )}
      </div>
    </div>
  )
}

/** The properties of {@link Grid}. */
export interface GridProps {
  name: string
  idField: string
  records: RecordWindow
  fields: readonly Field[]
  relations: readonly Relation[]
  sort: string
  selected: ReadonlySet<string>
  onSort(field: string): void
  onSelect(id: string): void
  onOpen(record: Row): void
  /**
   * Writes the value that `toValue` makes of the field with the type of its schema; undefined removes the field.
   * Rejects with an error that the editor shows.
   */
  onWrite(record: Row, field: Field, toValue: (field: Field) => unknown): Promise<void>
  onUndo(): void
}

/** Returns the width of the column of a field in the grid, in pixels, by the name and the kind of the field. */
function widthOf({ name, kind, format }: Field, idField: string): number {
  const needed = Math.min(320, 34 + name.length * 8 + (format || kind).length * 6)
  return Math.max(
    needed,
    name === idField ? (idWidths[format || kind] ?? 96) : (widths[kind] ?? 120),
  )
}

/** The least widths of columns by kind, and those of ids by format or kind, in pixels. */
const widths: Readonly<Record<string, number>> = {
  text: 320,
  json: 240,
  'date-time': 210,
  string: 200,
}
const idWidths: Readonly<Record<string, number>> = { uuid: 300, string: 180 }

/**
 * Returns the cell to which a key moves the focus in a grid (ARIA Authoring Practices, grid pattern);
 * undefined for other keys.
 */
function moveBy(
  key: string,
  isCommand: boolean,
  { row, column }: CellPosition,
  { page, rows, columns }: GridSize,
): CellPosition | undefined {
  const lastRow = rows - 1
  const lastColumn = columns - 1
  const moves: Record<string, CellPosition> = isCommand
    ? {
        Home: { row: 0, column: 0 },
        End: { row: lastRow, column: lastColumn },
        ArrowUp: { row: 0, column },
        ArrowDown: { row: lastRow, column },
        ArrowLeft: { row, column: 0 },
        ArrowRight: { row, column: lastColumn },
      }
    : {
        ArrowUp: { row: row - 1, column },
        ArrowDown: { row: row + 1, column },
        ArrowLeft: { row, column: column - 1 },
        ArrowRight: { row, column: column + 1 },
        Home: { row, column: 0 },
        End: { row, column: lastColumn },
        PageUp: { row: row - page, column },
        PageDown: { row: row + page, column },
      }
  return Object.hasOwn(moves, key) ? moves[key] : undefined
}

/** The size of the grid: the rows of a page, all rows and all columns. */
interface GridSize {
  page: number
  rows: number
  columns: number
}

/** Returns the scroll position and the size of a scrolled element, which follow scrolling and resizing. */
export function useViewport(element: { readonly current: HTMLElement | null }): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, height: 600, width: 900 })
  useLayoutEffect(() => {
    const node = element.current
    if (!node) return undefined
    const measure = (): void =>
      setViewport({
        top: node.scrollTop,
        left: node.scrollLeft,
        height: node.clientHeight,
        width: node.clientWidth,
      })
    measure()
    node.addEventListener('scroll', measure, { passive: true })
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => {
      observer.disconnect()
      node.removeEventListener('scroll', measure)
    }
  }, [])
  return viewport
}

/** The scroll position and the size of an element, in pixels. */
export interface Viewport {
  top: number
  left: number
  height: number
  width: number
}

import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isSame } from '../../core/json/json.ts'
import { root } from '../host.ts'
import { attempt } from '../app/notices.ts'
import type { Row } from '../app/state.ts'
import { EditedCell, type Editing, type WriteCell } from './cell-editor.tsx'
import { type CellBlock, fromClipboard, toClipboard } from './cell-block.ts'
import { type ColumnSettings, layoutColumns } from './columns.ts'
import { type Field, emptyValue, valueOf } from './fields.ts'
import { frozenWidth, GridHead } from './grid-head.tsx'
import { type CellRange, moveBy, rangeOf } from './grid-keys.ts'
import { GridRow, type GridRowProps, type RowActions, cellId } from './grid-row.tsx'
import {
  type CellPosition,
  columnsAt,
  rowHeight,
  rowsAt,
  scrollTo,
  selectWidth,
} from './grid-window.ts'
import type { RecordWindow } from './record-window.ts'

/**
 * Shows the records of a collection as a grid that can be edited. Only the cells in the viewport are in the
 * document.
 */
export function Grid(props: GridProps): VNode {
  const { name, idField, records, fields, settings, selected, openId, marks } = props
  const grid = useRef<HTMLDivElement>(null)
  const { top, left, height, width } = useViewport(grid)
  // The first rows are rendered once, in the columns and the number that fit.
  const isMeasured = width > 0
  const [active, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  /** The other corner of the selected cells; undefined while the active cell alone is selected. */
  const [anchor, setAnchor] = useState<CellPosition | undefined>()
  const [editing, setEditing] = useState<Editing | undefined>()
  const lastSelected = useRef(0)
  const count = records.total() ?? 0
  const columns = useMemo(
    () => layoutColumns(fields, settings, idField, width - selectWidth),
    [fields, settings, idField, width],
  )
  const full = Math.max(width, selectWidth + columns.reduce((sum, one) => sum + one.width, 0))
  const frozen = frozenWidth(columns)
  const bodyHeight = height - rowHeight
  const range = rowsAt(top, bodyHeight, count)
  const inView = isMeasured ? columnsAt(columns, left, width) : []
  const columnsShown = useMemo(() => inView, [columns, inView.join()])
  const cells = rangeOf(active, anchor ?? active)

  const shown = Array.from(
    { length: isMeasured ? Math.max(0, range.last - range.first + 1) : 0 },
    (_, at) => range.first + at,
  )
  // Another order is shown from its first record; the event of this scroll brings its range.
  useLayoutEffect(() => {
    if (grid.current) grid.current.scrollTop = 0
    setActive((before) => (before.row === 0 ? before : { ...before, row: 0 }))
    setAnchor(undefined)
  }, [records])
  const asked = useRef(records)
  useLayoutEffect(() => {
    const { first, last } = range
    if (asked.current === records || top === 0) records.need(first, Math.max(first, last))
    asked.current = records
  })

  // Shows the row of a record that a link has opened.
  useEffect(() => {
    const isShown = shown.some((row) => String(records.at(row)?.[idField]) === openId)
    if (openId === undefined || isShown || !isMeasured) return undefined
    let isLate = false
    const show = async (): Promise<void> => {
      const row = await props.onFindRow(openId)
      if (!isLate && row >= 0) move({ row, column: Math.max(0, active.column) })
    }
    void show()
    return () => {
      isLate = true
    }
  }, [openId, records, records.isLoaded(), isMeasured])

  // The editor stays with its record, which moves when others add or remove records.
  const isEdited = (row: number): boolean =>
    editing !== undefined && records.at(row)?.[idField] === editing.record[idField]
  const editedRow = editing && [editing.row, ...shown].find(isEdited)
  const found = editedRow === undefined ? undefined : records.at(editedRow)
  const editedAt = columns.findIndex(({ field }) => field.name === editing?.field.name)
  const isAtEditor = active.row === editing?.row && active.column === editedAt
  if (editing && editedRow !== undefined && editedRow !== editing.row) {
    setEditing({ ...editing, row: editedRow })
    if (isAtEditor) setActive({ ...active, row: editedRow })
  }

  /** Makes a cell the active one, and scrolls to it. */
  function move({ row, column }: CellPosition, isRange = false): void {
    const node = grid.current
    const next = {
      row: Math.max(0, Math.min(count - 1, row)),
      column: Math.max(-1, Math.min(columns.length - 1, column)),
    }
    setAnchor(isRange ? (anchor ?? active) : undefined)
    setActive(next)
    if (!node) return
    node.scrollTop = scrollTo(next.row, node.scrollTop, bodyHeight, count)
    const { left: start = 0, width: size = 0, isFrozen = true } = columns[next.column] ?? {}
    if (isFrozen) return
    if (selectWidth + start - frozen < node.scrollLeft)
      node.scrollLeft = selectWidth + start - frozen
    const end = selectWidth + start + size
    if (end > node.scrollLeft + width) node.scrollLeft = end - width
  }

  function edit(start?: string): void {
    const record = records.at(active.row)
    const field = columns[active.column]?.field
    if (!record || !field) return
    const value = valueOf(record, field)
    // Objects and lists need more room than a cell has, but for lists of ids.
    const isLarge = typeof value === 'object' && value !== null && !field.relation
    if (field.name === idField || isLarge) props.onOpen(record)
    else if (!field.isReadOnly) setEditing({ start, record, field, row: active.row })
  }

  /** Sets the active cell to null, or removes its field where the field is optional. */
  function clear(record: Row): void {
    const field = columns[active.column]?.field
    if (!field || field.isReadOnly || field.name === idField) return
    void attempt(async () => props.onWrite(record, field, emptyValue, true))
  }

  function endEdit(step?: CellPosition): void {
    setEditing(undefined)
    // A press outside of the grid has moved the focus, and a press on another cell has chosen this cell.
    if (grid.current?.contains(root.activeElement)) grid.current.focus()
    if (step && isAtEditor)
      move({ row: active.row + step.row, column: active.column + step.column })
  }

  /** Selects a record, or all from the one that was selected last. */
  function select(row: number, isRange: boolean): void {
    const from = isRange ? lastSelected.current : row
    const { top: first, bottom: last } = rangeOf({ row: from, column: 0 }, { row, column: 0 })
    lastSelected.current = row
    const rows = Array.from({ length: last - first + 1 }, (_, at) => records.at(first + at))
    const ids = rows.flatMap((record) => (record ? [String(record[idField])] : []))
    props.onSelect(ids, isRange || !selected.has(ids[0] ?? ''))
  }

  function press(event: KeyboardEvent): void {
    if (event.target !== grid.current) return
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event
    const isCommand = ctrlKey || metaKey
    const page = Math.max(1, Math.floor(bodyHeight / rowHeight) - 1)
    const next = moveBy(key, isCommand, active, { page, rows: count, columns: columns.length })
    const record = records.at(active.row)
    const field = columns[active.column]?.field
    if (next) move(next, shiftKey)
    else if (isCommand && key === 'd') fillDown()
    else if (isCommand || altKey) return
    else if (key === 'Enter' && shiftKey && record) props.onOpen(record)
    else if (key === 'Enter' || key === 'F2') edit()
    else if (key === 'Escape' && anchor) setAnchor(undefined)
    else if (key === ' ' && record && field?.kind === 'boolean')
      void attempt(async () => props.onWrite(record, field, () => !valueOf(record, field)))
    else if (key === ' ' && record) select(active.row, false)
    else if (key === 'Delete' && record) clear(record)
    else if (key.length === 1 && active.column >= 0) edit(key)
    else return
    event.preventDefault()
  }

  function valuesOf({ top: first, bottom, left: from, right }: CellRange): unknown[][] {
    const rows = Array.from({ length: bottom - first + 1 }, (_, at) => records.at(first + at))
    return rows.flatMap((record) =>
      record ? [columns.slice(from, right + 1).map(({ field }) => valueOf(record, field))] : [],
    )
  }

  function copy(event: ClipboardEvent): void {
    if (isInInput(event) || active.column < 0) return
    event.clipboardData?.setData('text/plain', toClipboard(valuesOf(cells)))
    event.preventDefault()
  }

  /** Writes a block of texts into the cells from the first selected one. */
  function write(texts: readonly string[][], { top: row, left: column }: CellRange): void {
    const given = columns.slice(column, column + (texts[0]?.length ?? 0))
    const rows = texts.map((line, at) => ({ record: records.at(row + at), texts: line }))
    void attempt(async () => {
      // A row in the list that is not known would become a new record.
      if (rows.some(({ record }, at) => !record && row + at < count))
        throw new Error('Some of these records are not loaded yet. Please scroll to them first.')
      await props.onWriteBlock({ fields: given.map(({ field }) => field), rows })
    })
  }

  function paste(event: ClipboardEvent): void {
    if (isInInput(event) || active.column < 0) return
    const texts = fromClipboard(event.clipboardData?.getData('text/plain') ?? '')
    if (props.isTable(texts) || texts.length === 0) return
    event.preventDefault()
    event.stopPropagation()
    const [line = []] = texts
    // A single value fills all selected cells.
    const isSingle = texts.length === 1 && line.length === 1
    write(isSingle ? valuesOf(cells).map((one) => one.map(() => line[0] ?? '')) : texts, cells)
  }

  /** Writes the values of the first selected row into the selected rows below. */
  function fillDown(): void {
    // A single row takes the values of the row above.
    const from = cells.bottom === cells.top ? cells.top - 1 : cells.top
    if (from < 0) return
    const source = toClipboard(valuesOf({ ...cells, top: from, bottom: from }))
    const [first = []] = fromClipboard(source)
    const below = { ...cells, top: from + 1 }
    write(
      valuesOf(below).map(() => first),
      below,
    )
  }

  /** Fits a column to its content: to that of the cells in the document. */
  function fit(field: string): number {
    const at = columns.findIndex((one) => one.field.name === field)
    const nodes = [...(grid.current?.querySelectorAll(`[aria-colindex="${at + 2}"]`) ?? [])]
    const widths = nodes.map((node) => {
      const content = document.createRange()
      content.selectNodeContents(node.querySelector('button') ?? node)
      return content.getBoundingClientRect().width
    })
    return Math.min(640, Math.ceil(Math.max(40, ...widths)) + 26)
  }

  const current: RowActions = {
    select,
    choose(position, isRange) {
      setAnchor(isRange ? (anchor ?? active) : undefined)
      setActive(position)
      grid.current?.focus()
    },
    extend(position) {
      setAnchor((before) => before ?? active)
      setActive(position)
    },
    edit: () => edit(),
    menu: props.onMenu,
  }
  const actions = useRef(current)
  actions.current = current
  const box = columns[editedAt]
  const shared: Omit<
    GridRowProps,
    'row' | 'top' | 'record' | 'activeColumn' | 'from' | 'to' | 'isSelected' | 'isOpen' | 'mark'
  > = { name, idField, columns, shown: columnsShown, width: frozen, actions }
  return (
    <div
      ref={grid}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={`Records of ${name}`}
      aria-rowcount={count + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable="true"
      aria-activedescendant={
        shown.includes(active.row) ? cellId(active.row, active.column) : undefined
      }
      onKeyDown={press}
      onCopy={copy}
      onPaste={paste}
    >
      <GridHead
        {...{ columns, shown: columnsShown, width: full, idField, sort: props.sort }}
        isAllSelected={selected.size > 0 && selected.size === count}
        onSort={props.onSort}
        onSelectAll={props.onSelectAll}
        onResize={(field, size) => props.onResize(field, size ?? fit(field))}
        onMove={props.onMove}
      />
      <div role="rowgroup" class="rows" style={{ height: `${range.height}px`, width: `${full}px` }}>
        {shown.map((row) => {
          const record = records.at(row)
          const id = String(record?.[idField])
          const isInRange = anchor && row >= cells.top && row <= cells.bottom
          return (
            <GridRow
              key={row}
              {...shared}
              {...{ row, record }}
              activeColumn={active.row === row ? active.column : undefined}
              from={isInRange ? cells.left : undefined}
              to={isInRange ? cells.right : undefined}
              top={range.top + (row - range.first) * rowHeight}
              isSelected={record !== undefined && selected.has(id)}
              isOpen={record !== undefined && id === openId}
              mark={record && marks.get(id)}
            />
          )
        })}
        {editing && (
          <EditedCell
            key={`${String(editing.record[idField])} ${editing.field.name}`}
            editing={editing}
            current={found ?? editing.record}
            column={editedAt}
            left={selectWidth + (box?.left ?? 0) + (box?.isFrozen ? left : 0)}
            top={range.top + (editing.row - range.first) * rowHeight}
            width={box?.width ?? 0}
            onWrite={props.onWrite}
            onEnd={endEdit}
          />
        )}
      </div>
    </div>
  )
}

interface GridProps {
  name: string
  idField: string
  records: RecordWindow
  /** The fields that have columns, in their order. */
  fields: readonly Field[]
  settings: ColumnSettings
  sort: string
  selected: ReadonlySet<string>
  /** The id of the record that is open beside the grid. */
  openId: string | undefined
  /** How records differ from the fixtures, by id. */
  marks: ReadonlyMap<string, ReadonlySet<string> | 'created'>
  onSort(field: string): void
  onSelect(ids: readonly string[], isSelected: boolean): void
  onSelectAll(): void
  onOpen(record: Row): void
  onMenu(record: Row, event: MouseEvent): void
  onResize(field: string, width: number): void
  onMove(field: string, target: string): void
  /** Returns the index of a record in the list; -1 for a record that the list does not have. */
  onFindRow(id: string): Promise<number>
  onWrite: WriteCell
  onWriteBlock(block: CellBlock): Promise<void>
  /** Whether pasted texts are a table with the names of fields, which are records. */
  isTable(texts: readonly string[][]): boolean
}

function isInInput({ target }: Event): boolean {
  return (target as Element).closest('input:not([type=checkbox]), textarea, select') !== null
}

/** Returns the scroll position and the size of a scrolled element, which follow scrolling and resizing; 0 before the first layout. */
function useViewport(element: { readonly current: HTMLElement | null }): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ top: 0, left: 0, height: 0, width: 0 })
  useLayoutEffect(() => {
    const node = element.current
    if (!node) return undefined
    const measure = (): void => {
      const { scrollTop: top, scrollLeft: left, clientHeight: height, clientWidth: width } = node
      const next = { top, left, height, width }
      setViewport((before) => (isSame(before, next) ? before : next))
    }
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
interface Viewport {
  top: number
  left: number
  height: number
  width: number
}

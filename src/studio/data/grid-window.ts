/**
 * Returns the rows of the grid that a scroll position shows, with a few more on both sides, because only these
 * are in the document.
 */
export function rowsAt(scrollTop: number, viewport: number, count: number): RowRange {
  const full = count * rowHeight
  const height = Math.min(full, maxHeight)
  const room = Math.max(1, height - viewport)
  // The offset into the whole list, of which the scroll position is a fraction.
  const offset = height === full ? scrollTop : (scrollTop / room) * (full - viewport)
  const first = Math.max(0, Math.floor(offset / rowHeight) - overscan)
  const last = Math.min(count - 1, Math.ceil((offset + viewport) / rowHeight) + overscan)
  return { first, last, height, top: first * rowHeight - offset + scrollTop }
}

/** Returns the indexes of the columns that a scroll position shows. */
export function columnsAt(
  boxes: readonly ColumnBox[],
  scrollLeft: number,
  viewport: number,
): number[] {
  return [...boxes.keys()].filter((at) => {
    const { left = 0, width = 0, isFrozen = false } = boxes[at] ?? {}
    return isFrozen || (left + width >= scrollLeft - 200 && left <= scrollLeft + viewport + 200)
  })
}

/** The height of a row, in pixels. */
export const rowHeight = 32

/** The width of the column with the checkboxes, in pixels. */
export const selectWidth = 42

/** The position of a cell: the index of its record and of its column; the column -1 has the checkbox. */
export interface CellPosition {
  row: number
  column: number
}

/**
 * The most pixels that a scrolled element may be high: browsers clip elements that are higher than some 17 million
 * pixels. Lists that are longer scroll several records a pixel.
 */
const maxHeight = 12_000_000

/** The rows in the viewport of a list, and where they are. */
export interface RowRange {
  first: number
  last: number
  /** The height of the whole list. */
  height: number
  /** The distance of the first row from the top of the list. */
  top: number
}

/** Returns the scroll position that shows a row, as near to the present position as possible. */
export function scrollTo(row: number, scrollTop: number, viewport: number, count: number): number {
  const full = count * rowHeight
  const height = Math.min(full, maxHeight)
  const scale = height === full ? 1 : (height - viewport) / (full - viewport)
  const offset = scrollTop / scale
  const top = row * rowHeight
  if (top < offset) return top * scale
  if (top + rowHeight > offset + viewport) return (top + rowHeight - viewport) * scale
  return scrollTop
}

const overscan = 6

/** The left edge and the width of a column, in pixels. */
export interface ColumnBox {
  left: number
  width: number
  /** Whether the column stays in the viewport. */
  isFrozen?: boolean
}

import type { CellPosition } from './grid-window.ts'

/**
 * Returns the cell to which a key moves the focus in a grid (ARIA Authoring Practices, grid pattern);
 * undefined for other keys.
 */
export function moveBy(
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
export interface GridSize {
  page: number
  rows: number
  columns: number
}

/** The cells between two cells, both included: the first and the last row and column. */
export interface CellRange {
  top: number
  bottom: number
  left: number
  right: number
}

/** Returns the cells between two corners. The column of the checkboxes does not belong to them. */
export function rangeOf(one: CellPosition, other: CellPosition): CellRange {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.max(0, Math.min(one.column, other.column)),
    right: Math.max(one.column, other.column),
  }
}

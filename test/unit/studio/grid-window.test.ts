import { describe, expect, it } from 'vitest'

import { columnsAt, rowHeight, rowsAt, scrollTo } from '../../../src/studio/data/grid-window.ts'

const viewport = 600

describe('the window of a grid', () => {
  it.each([1, 100, 100_000, 5_000_000])('reaches the first and the last of %d records', (count) => {
    expect(rowsAt(0, viewport, count)).toMatchObject({ first: 0, top: 0 })
    const { height } = rowsAt(0, viewport, count)
    expect(height).toBeLessThan(16_000_000)
    expect(rowsAt(Math.max(0, height - viewport), viewport, count).last).toBe(count - 1)
  })

  it.each([1000, 5_000_000])('scrolls to any of %d records', (count) => {
    for (const row of [0, 1, 499, Math.floor(count / 2), count - 1]) {
      const scrollTop = scrollTo(row, 12_345, viewport, count)
      const { first, last, top } = rowsAt(scrollTop, viewport, count)
      expect(row).toBeGreaterThanOrEqual(first)
      expect(row).toBeLessThanOrEqual(last)
      const shownAt = top + (row - first) * rowHeight - scrollTop
      expect(shownAt).toBeGreaterThan(-2)
      expect(shownAt + rowHeight).toBeLessThan(viewport + 2)
    }
  })

  it('does not scroll to a record that is shown', () => {
    expect(scrollTo(20, 500, viewport, 1000)).toBe(500)
  })

  it('has the columns near the viewport', () => {
    const boxes = Array.from({ length: 100 }, (_, at) => ({ left: at * 100, width: 100 }))
    const columns = columnsAt(boxes, 3000, 1000)
    expect(columns[0]).toBeLessThanOrEqual(30)
    expect(columns.at(-1)).toBeGreaterThanOrEqual(40)
    expect(columns.length).toBeLessThan(20)
    const frozen = boxes.map((box, at) => ({ ...box, isFrozen: at === 0 }))
    expect(columnsAt(frozen, 3000, 1000)).toEqual([0, ...columns])
  })
})

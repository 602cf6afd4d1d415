/** A PNG image of one pixel. */
export const pixel: Uint8Array = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Sorts a copy of rows by a field: numbers, and texts that are numbers, by value; equal ones keep their order. */
export function sortBy<Row extends Record<string, unknown>>(
  rows: readonly Row[],
  field: string,
  isDown = false,
): Row[] {
  const compare = (a: unknown, b: unknown): number => {
    const difference = Number(a) - Number(b)
    if (!Number.isNaN(difference)) return difference
    return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
  }
  return rows.toSorted((a, b) => (isDown ? -1 : 1) * compare(a[field], b[field]))
}

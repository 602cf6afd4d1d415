import type { Json } from '../json/json.ts'

/** Reads a number in the form of another: 12 of `R-0012` where the other is `R-0007`; 0 for another form. */
export function countOf(value: Json, like: string | number): number {
  if (typeof like === 'number') return typeof value === 'number' ? value : 0
  const { start, end } = partsOf(like)
  if (typeof value !== 'string' || !value.startsWith(start) || !value.endsWith(end)) return 0
  const digits = value.slice(start.length, value.length - end.length)
  return /^\d{1,15}$/.test(digits) ? Number(digits) : 0
}

/** Writes a number in the form of another. */
export function formatCount(count: number, like: string | number): string | number {
  if (typeof like === 'number') return count
  const { start, digits, end } = partsOf(like)
  return start + String(count).padStart(digits.length, '0') + end
}

/** Splits a text at its last number. */
function partsOf(text: string): Record<'start' | 'digits' | 'end', string> {
  const [, start = '', digits = '', end = ''] = /^(.*?)(\d+)(\D*)$/.exec(text) ?? []
  return { start, digits, end }
}

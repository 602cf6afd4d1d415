/** The positions of the first and the last byte of a range. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Parses the header `Range` for a file of a size. Undefined for several ranges, another unit or an invalid
 * range, which a server may ignore (RFC 9110 §14.2).
 */
export function toByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  // Without a first position, the number is the length of a suffix.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  if (start >= size) return 'unsatisfiable'
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return { start, end }
}

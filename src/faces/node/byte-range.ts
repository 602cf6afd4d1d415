/**
 * Parses the header `Range` of a request for a file of `size` bytes. Undefined for several ranges, another
 * unit or an invalid range, which a server may ignore (RFC 9110 §14.2).
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

/** A range of a file: the positions of its first and its last byte. */
export interface ByteRange {
  start: number
  end: number
}

import { headerOf, type HeaderList, type MockRequest } from '../contract/messages.ts'

/** The range of a GET, unless `If-Range` names another version of the file (RFC 9110 §13.1.5). */
export function rangeOf(
  { method, headers }: Pick<MockRequest, 'method' | 'headers'>,
  validators: HeaderList,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const { range, 'if-range': version } = headers
  if (method !== 'GET' || range === undefined) return undefined
  const isCurrent = ['ETag', 'Last-Modified'].some((name) => headerOf(validators, name) === version)
  return version === undefined || isCurrent ? toByteRange(range, size) : undefined
}

/** Parses `Range`; undefined for several ranges, another unit or an invalid one (RFC 9110 §14.2 allows that). */
function toByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
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
interface ByteRange {
  start: number
  end: number
}

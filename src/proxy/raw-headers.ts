import type { HeaderList } from '../core/http/contract/messages.ts'

/** Converts `rawHeaders` of Node, which alternates names and values, to pairs. */
export function toPairs(raw: readonly string[]): HeaderList {
  const pairs: HeaderList = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? ''])
  return pairs
}

import { isDataKey } from '../formats.ts'
import type { StatisticsNode, Objects } from '../observe/node.ts'

/** A record with this many keys of one kind of value is a map, even if all records have the same keys. */
const manyKeys = 60
/** With fewer keys, so many are needed... */
const someKeys = 10
/** ...and an object has at most this share of them. */
const sparse = 1 / 3

/**
 * Whether objects are maps, whose keys are data, rather than records, whose keys are names of fields. All
 * values of a map are of one kind, and either all keys are data (ids, dates, numbers), or there are more than
 * 60, or there are 10 or more and an object has at most a third of them.
 */
export function isMap({ values, fields, count, totalProperties }: Objects): boolean {
  if (values) return true
  const keys = fields.size
  if (keys === 0) return false
  const isSparse = keys >= someKeys && totalProperties <= count * keys * sparse
  const isLikely = keys > manyKeys || isSparse || [...fields.keys()].every(isDataKey)
  return isLikely && new Set(kindsIn(fields.values())).size <= 1
}

/** The kinds of values of each field that has other values than null. */
function* kindsIn(fields: Iterable<{ node: StatisticsNode }>): Generator<string> {
  for (const { node } of fields) {
    const kinds = [
      node.trues + node.falses > 0 && 'boolean',
      node.numbers && 'number',
      node.strings && 'string',
      node.arrays && 'array',
      node.objects && 'object',
    ].filter(Boolean)
    if (kinds.length > 0) yield kinds.join(' ')
  }
}

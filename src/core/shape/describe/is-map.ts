import { isDataKey } from '../formats.ts'
import type { StatisticsNode, Objects } from '../observe/node.ts'

/**
 * Whether the objects at one place of the data are maps, whose keys are data, rather than records, whose keys
 * are names of fields. All values of a map are of one kind. In addition, all keys are data (ids, dates,
 * numbers), or there are more than 60 keys, or there are 10 or more and an object has at most a third of the
 * keys on average.
 */
export function isMap({ values, fields, count, totalProperties }: Objects): boolean {
  if (values) return true
  const keys = fields.size
  if (keys === 0) return false
  const { manyKeys, sparseKeys, sparseShare } = evidence
  const isSparse = keys >= sparseKeys && totalProperties <= count * keys * sparseShare
  const isLikely = keys > manyKeys || isSparse || [...fields.keys()].every(isDataKey)
  return isLikely && new Set(kindsIn(fields.values())).size <= 1
}

/** The evidence for a map whose keys do not look like data. */
const evidence = {
  /** Objects with more keys than this are a map, even if all objects have the same keys. */
  manyKeys: 60,
  /** Sparse objects are a map if they have at least this many keys together... */
  sparseKeys: 10,
  /** ...and an object has at most this share of the keys on average. */
  sparseShare: 1 / 3,
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

import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { createRequestState } from '../../http/contract/request-state.ts'
import { toCanonicalJson } from '../../json/canonical-json.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Issue } from '../../errors/mock-error.ts'

/**
 * Creates the check of the option `unique` of `fields`: against the stored records, and against the other
 * records of the same request.
 */
export function createFindDuplicates(): FindDuplicates {
  const requestIndexes = createRequestState<RequestIndexes>()

  function indexOf(
    resource: Collection,
    names: readonly string[],
    writes: readonly Write[],
    exchange: Exchange,
  ): ValueIndex {
    let current = requestIndexes.get(exchange)
    // A change of the data during a request replaces `writes`, because the request plans its writes again.
    if (current?.writes !== writes) {
      current = { writes, indexes: new Map() }
      requestIndexes.set(exchange, current)
    }
    const key = JSON.stringify([resource.name, ...names])
    const existing = current.indexes.get(key)
    if (existing) return existing
    const index: ValueIndex = new Map()
    const written = writes.filter((write) => write.resource === resource)
    for (const record of [...resource.records(), ...written.map(({ record = {} }) => record)]) {
      addToMultimap(index, keyOf(record, names), record)
    }
    current.indexes.set(key, index)
    return index
  }

  return (unique, { resource, record = {}, previous }, writes, exchange) => {
    if (resource.kind !== 'collection') return []
    return unique.flatMap((group): Issue[] => {
      const names = typeof group === 'string' ? [group] : group
      const [first = ''] = names
      if (names.some((name) => (ownValue(record, name) ?? null) === null)) return []
      const equal = indexOf(resource, names, writes, exchange).get(keyOf(record, names))
      // Of two duplicates in one request, only the later record is invalid.
      if (equal?.find((other) => other !== previous) === record) return []
      const message =
        names.length > 1 ? `is taken with this ${names.slice(1).join(', ')}` : 'is taken'
      return [{ path: [first], message }]
    })
  }
}

/**
 * Returns an issue for each field, or group of fields, in `unique` whose values the written record shares
 * with another record, which is stored or written by the same request.
 */
type FindDuplicates = (
  unique: readonly (string | readonly string[])[],
  write: Write,
  writes: readonly Write[],
  exchange: Exchange,
) => Issue[]

/** Records by the values of some fields: with an index, checking a long list takes linear time. */
type ValueIndex = Map<string, JsonRecord[]>

/** The indexes for the writes of a request, by collection and fields. */
interface RequestIndexes {
  writes: readonly Write[]
  indexes: Map<string, ValueIndex>
}

/** Returns a text that two records share if some of their fields have equal values. */
function keyOf(record: JsonRecord, names: readonly string[]): string {
  return toCanonicalJson(names.map((name) => ownValue(record, name) ?? null))
}

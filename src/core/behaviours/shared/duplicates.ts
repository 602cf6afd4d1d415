import type { Issue } from '../../errors/mock-error.ts'
import { type Exchange, type Write, createRequestState } from '../../http/contract/exchange.ts'
import { toCanonicalJson } from '../../json/canonical-json.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import type { Collection } from '../../store/records/collection.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'

/** Creates the check of `unique`: records share values with stored ones, or within the same request. */
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

  return (
    unique: readonly (string | readonly string[])[],
    { resource, record = {}, previous }: Write,
    writes: readonly Write[],
    exchange: Exchange,
  ): Issue[] => {
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

/** Returns an issue for each field, or group of fields, whose values another record has. */
type FindDuplicates = (
  unique: readonly (string | readonly string[])[],
  write: Write,
  writes: readonly Write[],
  exchange: Exchange,
) => Issue[]

/** Records by the values of some fields: with an index, checking a long list takes linear time. */
type ValueIndex = Map<string, JsonRecord[]>

interface RequestIndexes {
  writes: readonly Write[]
  indexes: Map<string, ValueIndex>
}

function keyOf(record: JsonRecord, names: readonly string[]): string {
  return toCanonicalJson(names.map((name) => ownValue(record, name) ?? null))
}

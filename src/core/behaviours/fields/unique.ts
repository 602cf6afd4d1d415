import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { createRequestState } from '../../http/contract/request-state.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Issue } from '../shared/invalid.ts'

/** Finds what of a write another record has already, where no two may share it. */
type FindTaken = (
  unique: readonly (string | readonly string[])[],
  write: Write,
  writes: readonly Write[],
  exchange: Exchange,
) => Issue[]

/** Records by what stands in some fields, so that a long list is checked in one go. */
type Shelves = Map<string, JsonRecord[]>

interface Shelving {
  writes: readonly Write[]
  shelves: Map<string, Shelves>
}

/** Creates the check of fields that no two records share, also among the records of one request. */
export function createTaken(): FindTaken {
  const known = createRequestState<Shelving>()

  function shelvesOf(
    resource: Collection,
    names: readonly string[],
    writes: readonly Write[],
    exchange: Exchange,
  ): Shelves {
    let all = known.get(exchange)
    // Writes that are planned again may be other writes, to other data.
    if (all?.writes !== writes) {
      all = { writes, shelves: new Map() }
      known.set(exchange, all)
    }
    const place = JSON.stringify([resource.name, ...names])
    const held = all.shelves.get(place)
    if (held) return held
    const written = writes.filter((one) => one.resource === resource)
    const shelves: Shelves = new Map()
    for (const one of [...resource.records(), ...written.map(({ record = {} }) => record)]) {
      addToMultimap(shelves, labelOf(one, names), one)
    }
    all.shelves.set(place, shelves)
    return shelves
  }

  return (unique, { resource, record = {}, previous }, writes, exchange) => {
    if (resource.kind !== 'collection') return []
    return unique.flatMap((group): Issue[] => {
      const names = typeof group === 'string' ? [group] : group
      const [first = ''] = names
      if (names.some((name) => (ownValue(record, name) ?? null) === null)) return []
      const shelf = shelvesOf(resource, names, writes, exchange).get(labelOf(record, names))
      // Of twins in one request, only the later one has come too late.
      if (shelf?.find((one) => one !== previous) === record) return []
      const message =
        names.length > 1 ? `is taken with this ${names.slice(1).join(', ')}` : 'is taken'
      return [{ path: [first], message }]
    })
  }
}

/** What records have in common that share some fields; the order of an object's keys does not count. */
function labelOf(record: JsonRecord, names: readonly string[]): string {
  const values = names.map((name) => ownValue(record, name) ?? null)
  return JSON.stringify(values, (_, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(byKey)) : value,
  )
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1
}

import type { JsonRecord } from '../../json/json.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { View, RecordView } from '../contract/record-view.ts'

/**
 * Returns the view of a request on a collection, which combines the hooks of all behaviours that hide
 * or change its records. The request keeps the view until a behaviour sets another user or API version.
 */
export function viewOf(exchange: Exchange, collection: string): RecordView {
  const { views } = exchange.records
  if (views.length === 0) return identity
  const { user, version } = exchange
  const known = exchange.views?.get(collection)
  if (known && known.user === user && known.version === version) return known.view
  const own = views.flatMap((view): View | View[] => view(collection, exchange) ?? [])
  const view = own.length === 0 ? identity : compose(own)
  exchange.views ??= new Map()
  exchange.views.set(collection, { user, version, view })
  return view
}

const identity: RecordView = {
  isIdentity: true,
  refusal: () => undefined,
  visible: (record) => record,
  present: (record) => record,
  presentForPatch: (record) => record,
  toStored: (record) => record,
  storedOf: (record) => record,
  fieldName: (field) => field,
}

function compose(given: readonly View[]): RecordView {
  // Views that rename fields run last: the others know the fields by their stored names.
  const views = given.toSorted((a, b) => Number(!b.fieldName) - Number(!a.fieldName))
  const reversible = views.filter((view) => view.toStored)
  const stored = new WeakMap<JsonRecord, JsonRecord>()

  function through(some: readonly View[], record: JsonRecord): JsonRecord {
    const presented = some.reduce<JsonRecord>((last, view) => view.present?.(last) ?? last, record)
    if (presented !== record) stored.set(presented, record)
    return presented
  }

  const isVisible = (record: JsonRecord): boolean =>
    views.every((view) => view.includes?.(record) ?? true)
  return {
    isIdentity: false,
    refusal(record) {
      const hiding = views.find((view) => !(view.includes?.(record) ?? true))
      return hiding && (hiding.refuse?.(record) ?? null)
    },
    visible: (record) => (isVisible(record) ? through(views, record) : undefined),
    present: (record) => through(views, record),
    presentForPatch: (record) => through(reversible, record),
    toStored: (record, previous) =>
      views.reduceRight((sent, view) => view.toStored?.(sent, previous) ?? sent, record),
    storedOf: (record) => stored.get(record) ?? record,
    fieldName: (field) => views.reduce((name, view) => view.fieldName?.(name) ?? name, field),
  }
}

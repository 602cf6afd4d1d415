import type { Routed } from '../../http/contract/exchange.ts'
import { createListFilter } from '../../http/resource/list.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import type { Target } from '../../http/routing/target.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Change } from '../../store/changes.ts'
import { keysIn } from '../../store/relations/relations.ts'

/**
 * Creates the function that converts a change of the data to what the client of an event stream may see: a record
 * that becomes visible, or enters the filter of the URL, is `created`; a record that becomes hidden, or leaves the
 * filter, is `deleted`. The function returns undefined for a change of another target, and for a record that is
 * visible neither before nor after.
 * @throws MockError 400 for a malformed parameter
 */
export function createToVisible(exchange: Routed): (change: Change) => Change | undefined {
  const { target } = exchange
  const isCollection = target.kind === 'collection'
  const relation = isCollection ? target.parent?.related.relation : undefined
  const passes = isCollection ? createListFilter(exchange as Routed<typeof target>) : () => true
  const toVisibleRecord = (record: JsonRecord): JsonRecord | undefined => {
    const isElsewhere =
      isCollection && relation && !keysIn(record, relation).includes(target.parent?.id ?? '')
    if (isElsewhere) return undefined
    const visible = viewOf(exchange, target.resource.name).visible(record)
    return visible && passes(visible) ? visible : undefined
  }
  return (change) => {
    if (!isChangeOf(target, change)) return undefined
    if (change.type === 'reset' || change.type === 'reloaded') return change
    const { collection, id = '' } = change
    const record = change.type === 'deleted' ? undefined : toVisibleRecord(change.record)
    const previous = change.type === 'created' ? undefined : toVisibleRecord(change.previous)
    if (record && previous) return { ...change, type: 'updated', record, previous }
    if (record) return { type: 'created', collection, id, record }
    return previous && { type: 'deleted', collection, id, previous }
  }
}

/** Whether a change affects a target; a reset affects every target. */
function isChangeOf(target: Target, change: Change): boolean {
  if (change.type === 'reset') return true
  if (change.collection !== target.resource.name) return false
  return target.kind !== 'member' || !('id' in change) || change.id === target.id
}

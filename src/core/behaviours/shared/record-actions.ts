import type { Answer, Result } from '../../dialects/contract/dialect.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { checkPreconditions } from '../../http/pipeline/actions.ts'
import { commit } from '../../http/resource/commit.ts'
import { viewOf, visibleMember, withoutHidden } from '../../http/resource/record-view.ts'
import { memberPath, resourcePath } from '../../http/routing/target.ts'
import type { JsonRecord } from '../../json/json.ts'
import { type Collection, keyOf } from '../../store/records/collection.ts'

/** A request for an action on a record, such as `POST /orders/1/ship`. */
export interface RecordCall {
  exchange: Exchange
  /** The name of the collection. */
  name: string
  /** The id of the record. */
  id: string
}

/** Returns the path of the actions of a collection as a pattern, in which `*` is any segment. */
export function actionPath(name: string): string {
  return `${resourcePath('', name).replaceAll('*', '%2A')}/:id/:action`
}

/** Checks that the request can see the record. @throws MockError 404, or 412 and 428 for a precondition */
export function checkRecordCall({ exchange, name, id }: RecordCall): JsonRecord {
  const { base } = exchange.service
  const resource = shownCollection(exchange, name)
  const record = visibleMember(exchange, resource, id)
  const path = memberPath(base, name, id)
  checkPreconditions(exchange, { ...exchange, path, target: { kind: 'member', resource, id } })
  return record
}

/** Stores the fields that an action sets, and a record that the action creates, if no write hook refuses them. */
export function storeAction(
  { exchange, name, id }: RecordCall,
  change: (previous: JsonRecord) => JsonRecord,
  facts: Pick<Write, 'isOpen' | 'keepsTimes'> = {},
  created?: NewRecord,
): MaybePromise<JsonRecord> {
  const { resources } = exchange.service
  const resource = resources.stored(name)
  const plan = (): Write[] => {
    const previous = visibleMember(exchange, shownCollection(exchange, name), id)
    const set = change(previous)
    const own = Object.keys(set)
    const record = { ...previous, ...set }
    const key = keyOf(resource, previous)
    const patch: Write = { action: 'patch', resource, id: key, previous, record, own, ...facts }
    if (!created) return [patch]
    const fields = { ...created.fields }
    const target = resources.stored(created.in)
    return [
      ...(own.length > 0 ? [patch] : []),
      { action: 'create', resource: target, record: fields, own: Object.keys(fields) },
    ]
  }
  return andThen(commit(exchange, plan), (stored) => stored.at(-1) ?? {})
}

/** The record that an action creates. */
export interface NewRecord {
  /** The name of its collection. */
  in: string
  fields: JsonRecord
}

/** Renders the record of an action in a form of its own, or as a PATCH of the record, or a POST of a new one, would. */
export function renderAction(
  { exchange, name, id }: RecordCall,
  stored: JsonRecord,
  form?: Extract<Result, { type: 'record' }>['form'],
  isNew = false,
): Answer {
  const { dialect, base } = exchange.service
  const record = withoutHidden(exchange, name, viewOf(exchange, name).present(stored))
  const resource = shownCollection(exchange, name)
  const target = { kind: 'member', resource, id } as const
  const result = isNew
    ? ({ action: 'created', location: memberPath(base, name, keyOf(resource, stored)) } as const)
    : ({ action: 'patched' } as const)
  return dialect.render({ type: 'record', record, form, ...result }, { ...exchange, target })
}

/** The collection that a path names, which can be a view of another. @throws MockError 404 */
function shownCollection({ service: { resources } }: Exchange, name: string): Collection {
  const resource = resources.get(name)
  return resource?.kind === 'collection' ? resource : resources.stored(name)
}

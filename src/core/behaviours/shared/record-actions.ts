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

/** Stores the fields that an action sets, if no write hook refuses them. */
export function storeAction(
  { exchange, name, id }: RecordCall,
  change: (previous: JsonRecord) => JsonRecord,
  facts: Pick<Write, 'isOpen' | 'keepsTimes'> = {},
): MaybePromise<JsonRecord> {
  const { resources } = exchange.service
  const resource = resources.stored(name)
  const plan = (): Write[] => {
    const previous = visibleMember(exchange, shownCollection(exchange, name), id)
    const set = change(previous)
    const record = { ...previous, ...set }
    const own = Object.keys(set)
    return [
      { action: 'patch', resource, id: keyOf(resource, previous), previous, record, own, ...facts },
    ]
  }
  return andThen(commit(exchange, plan), ([stored = {}]) => stored)
}

/** Renders the record of an action in a form of its own, or as a PATCH of the record would. */
export function renderAction(
  { exchange, name, id }: RecordCall,
  stored: JsonRecord,
  form?: Extract<Result, { type: 'record' }>['form'],
): Answer {
  const { dialect } = exchange.service
  const record = withoutHidden(exchange, name, viewOf(exchange, name).present(stored))
  const target = { kind: 'member', resource: shownCollection(exchange, name), id } as const
  const result = { type: 'record', action: 'patched', record, form } as const
  return dialect.render(result, { ...exchange, target })
}

/** The collection that a path names, which can be a view of another. @throws MockError 404 */
function shownCollection({ service: { resources } }: Exchange, name: string): Collection {
  const resource = resources.get(name)
  return resource?.kind === 'collection' ? resource : resources.stored(name)
}

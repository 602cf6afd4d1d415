import type { Exchange, Routed, Write } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { methodsOf } from '../../http/pipeline/actions.ts'
import { commit } from '../../http/resource/commit.ts'
import { type Listed, listRecords } from '../../http/resource/list.ts'
import { type At, planChange, planCreation, planRemoval } from '../../http/resource/member.ts'
import { viewOf, visibleLinks } from '../../http/resource/record-view.ts'
import { memberPath, resourcePath, type Target, toTarget } from '../../http/routing/target.ts'
import { wrongMethod } from '../../http/routing/wrong-method.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { RecordView } from '../../http/contract/record-view.ts'
import type { Query } from '../../query/tree.ts'
import type { Collection } from '../../store/records/collection.ts'

/** The records as one GraphQL request reads and writes them: with the permissions, views and write hooks of REST. */
export interface Records {
  /** Lists records. @throws MockError 401 or 403 where a GET of the collection gets it */
  list(name: string, query: Query): { records: readonly JsonRecord[]; total: number }
  /** The record with the id; null for a record that the request does not see. @throws MockError 401, 403 */
  member(name: string, id: string): JsonRecord | null
  /** The value of a singleton or a document. @throws MockError 401, 403 */
  value(name: string): Json
  /** The records that a relation of a record leads to: a list, or one record. @throws MockError 401, 403 */
  related(
    name: string,
    relation: Relation,
    record: JsonRecord,
  ): readonly JsonRecord[] | JsonRecord | null
  /** One record, or several whose errors have the index of the record. @throws MockError 401, 403 */
  creation(name: string, given: JsonRecord | JsonRecord[]): Change
  /** Undefined for a record that the request does not see; without an id for a singleton. */
  update(name: string, id: string | undefined, change: Update): Change | undefined
  removal(name: string, id: string): Change | undefined
  /** Stores changes, all or none. Returns the written records of each as the request sees them. */
  store(changes: readonly (Change | undefined)[]): MaybePromise<JsonRecord[][]>
  /** The name under which the request sees a field of the stored records. */
  fieldName(name: string, field: string): string
}

/** A relation by its name in paths and parameters, and the collection that it leads to. */
export interface Relation {
  name: string
  to: string
}

/** Makes the record to store of the displayed record. */
export type Update = (previous: JsonRecord) => JsonRecord

/** A change that is not stored yet. */
export interface Change {
  asked: Routed
  plan: () => Write[]
  /** The number of records that the change is about, which are the last of its writes. */
  count: number
}

/** Creates the records of a request. Each access counts as the request of REST with the same meaning. */
export function createRecords(exchange: Exchange): Records {
  const { service } = exchange
  // The requests below share this state with the request that contains them.
  exchange.cancels ??= new Set()
  exchange.state ??= {}
  exchange.responseHooks ??= []
  let views: NonNullable<Exchange['views']> = new Map()
  const reads = new Map<string, Routed>()
  const seen = new Map<string, RecordView>()

  function ask(method: string, target: Target): Routed {
    const { name } = target.resource
    const path =
      target.kind === 'member'
        ? memberPath(service.base, name, target.id)
        : resourcePath(service.base, name)
    const allowed = methodsOf(target.kind, name, service)
    if (!allowed.includes(method)) {
      throw wrongMethod(`${method} "${path}": "${name}" does not allow it`, allowed)
    }
    const request = { ...exchange.request, method, path, received: undefined }
    const asked = { ...exchange, request, method, path, search: '', params: [], target, views }
    // A request ends early as a whole.
    Object.defineProperty(asked, 'ended', { get: () => exchange.ended, enumerable: true })
    exchange.authorize?.(asked)
    return asked
  }

  function read(name: string): Routed {
    const known = reads.get(name)
    if (known) return known
    const asked = ask(
      'GET',
      toTarget(service.resources.get(name) ?? service.store.collection(name)),
    )
    reads.set(name, asked)
    return asked
  }

  function viewAt(name: string): RecordView {
    const view = seen.get(name) ?? viewOf({ ...exchange, views }, name)
    seen.set(name, view)
    return view
  }

  function collection(name: string): Collection {
    const resource = service.resources.get(name)
    return resource?.kind === 'collection' ? resource : service.store.collection(name)
  }

  /** A request for a record; undefined if its collection has no such record, or none that the request sees. */
  function askMember(method: string, name: string, id: string): At<'member'> | undefined {
    const resource = collection(name)
    const record = resource.get(id)
    if (!record) return undefined
    const target = { kind: 'member', resource, id } as const
    const asked = { ...ask(method, target), target }
    const refusal = viewOf(asked, name).refusal(record)
    if (refusal) throw refusal
    return refusal === null ? undefined : asked
  }

  return {
    list(name, query) {
      return listRecords(read(name) as Listed, () => ({ query, ignored: [] }))
    },
    member(name, id) {
      const asked = askMember('GET', name, id)
      const record = asked?.target.resource.get(id)
      return asked && record ? viewOf(asked, name).present(record) : null
    },
    value(name) {
      const asked = read(name)
      const { resource } = asked.target
      if (resource.kind === 'singleton') return viewOf(asked, name).present(resource.get())
      return resource.kind === 'document' ? resource.get() : null
    },
    related(name, relation, record) {
      viewOf(read(relation.to), relation.to)
      const link = visibleLinks({ ...exchange, views })(name, relation.name, relation.name)
      return link.follow(record)
    },
    creation(name, given) {
      const resource = collection(name)
      const asked = {
        ...ask('POST', { kind: 'collection', resource }),
        target: { kind: 'collection', resource } as const,
      }
      return { asked, plan: () => planCreation(asked, given), count: [given].flat().length }
    },
    update(name, id, change) {
      const resource = service.resources.get(name)
      if (resource?.kind === 'singleton') {
        const target = { kind: 'singleton', resource } as const
        const asked = { ...ask('PATCH', target), target }
        return { asked, plan: () => [planChange(asked, 'patch', change)], count: 1 }
      }
      const asked = askMember('PATCH', name, id ?? '')
      return asked && { asked, plan: () => [planChange(asked, 'patch', change)], count: 1 }
    },
    removal(name, id) {
      const asked = askMember('DELETE', name, id)
      return asked && { asked, plan: () => planRemoval(asked), count: 1 }
    },
    store(changes) {
      const planned = changes.filter((one) => one !== undefined)
      const [first] = planned
      if (!first) return []
      // The views of the request may depend on the data.
      views = new Map()
      reads.clear()
      seen.clear()
      let sizes: number[] = []
      const plan = (): Write[] => {
        const writes = planned.map((one) => one.plan())
        sizes = writes.map(({ length }) => length)
        return writes.flat()
      }
      return andThen(commit(first.asked, plan), (stored) => {
        let end = 0
        return planned.map(({ asked, count }, at) => {
          end += sizes[at] ?? 0
          const { name } = asked.target.resource
          return stored.slice(end - count, end).map(viewOf({ ...asked, views }, name).present)
        })
      })
    },
    fieldName: (name, field) => viewAt(name).fieldName(field),
  }
}

import type { Data } from '../../dialects/contract/dialect.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange, Routed, Write } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { methodsOf } from '../../http/pipeline/actions.ts'
import { commit } from '../../http/resource/commit.ts'
import { toData } from '../../http/resource/dialect-data.ts'
import { type Listed, listRecords } from '../../http/resource/list.ts'
import { type At, planChange, planCreation, planRemoval } from '../../http/resource/member.ts'
import { viewOf, visibleLinks } from '../../http/resource/record-view.ts'
import { memberPath, resourcePath, type Target, toTarget } from '../../http/routing/target.ts'
import { wrongMethod } from '../../http/routing/wrong-method.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Lookup } from '../../query/embed.ts'
import type { Query } from '../../query/tree.ts'
import type { Collection } from '../../store/records/collection.ts'

/**
 * The records as one GraphQL request reads and writes them, with the permissions, views and write hooks of REST. All
 * functions throw the MockError, such as 401, 403 or 422, of the request of REST with the same meaning.
 */
export interface Records {
  exchange: Exchange
  /** The data, without permissions and hooks. */
  db: MockContext['db']
  /** The request of REST that reads the records or the value of a resource. */
  read(name: string): Routed
  list(name: string, query: Query): { records: readonly JsonRecord[]; total: number }
  /** Returns null for a record that does not exist, or that the request does not see. */
  member(name: string, id: string): JsonRecord | null
  /** Returns the value of a singleton or a document. */
  value(name: string): Json
  /** Returns the list of records, or the record, that a relation leads to. */
  related(
    name: string,
    relation: Relation,
    record: JsonRecord,
  ): readonly JsonRecord[] | JsonRecord | null
  /** Stores one record, or several, all or none; errors about several have the index of the record. */
  create(name: string, given: JsonRecord | JsonRecord[]): MaybePromise<JsonRecord[]>
  /** Merges fields into a record or a singleton; returns an empty list for a record that the request does not see. */
  update(name: string, id: string, set: JsonRecord): MaybePromise<JsonRecord[]>
  remove(name: string, id: string): MaybePromise<JsonRecord[]>
  /** Stores the steps that `plan` returns, all or none, and returns the records of each. */
  write(plan: () => readonly Step[]): MaybePromise<JsonRecord[][]>
  /** Returns the data as functions of dialects see it. */
  data(): Data
  /** Returns the name under which the request sees a field of the stored records. */
  fieldName(name: string, field: string): string
}

/** A relation by its name in paths and parameters, and the collection that it leads to. */
export interface Relation {
  name: string
  to: string
}

/** A write: of new records, else of the record with the id or a singleton. */
export interface Step {
  name: string
  id?: string
  /** The new record or records. */
  records?: JsonRecord | JsonRecord[]
  /** The fields of new records that the mock itself sets. */
  own?: readonly string[]
  /** Returns the changed record; a step without this function and without new records removes. */
  change?: (previous: JsonRecord) => JsonRecord
}

/** The writes of a step, the last of which are those of its records. */
interface Part {
  name: string
  writes: Write[]
  count: number
}

/** Creates the records of a request. */
export function createRecords(exchange: Exchange, db: MockContext['db']): Records {
  const { service } = exchange
  // The requests below share this state with the request that contains them.
  exchange.cancels ??= new Set()
  exchange.state ??= {}
  exchange.responseHooks ??= []
  // Patterns that match the operation say nothing about the requests in it.
  const { operation: _, ...outer } = exchange
  let viewer: Exchange = { ...outer, views: new Map() }
  const reads = new Map<string, Routed>()
  const links = new Map<Relation, Pick<ReturnType<Lookup>, 'follow'>>()

  function ask<T extends Target>(method: string, target: T): Routed<T> {
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
    const asked = { ...viewer, request, method, path, search: '', params: [], target }
    // A request ends early as a whole.
    Object.defineProperty(asked, 'ended', { get: () => exchange.ended, enumerable: true })
    exchange.authorize?.(asked)
    return asked
  }

  function read(name: string): Routed {
    const resource = service.resources.get(name) ?? service.store.collection(name)
    const asked = reads.get(name) ?? ask('GET', toTarget(resource))
    reads.set(name, asked)
    return asked
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
    const asked = ask(method, { kind: 'member', resource, id })
    const refusal = viewOf(asked, name).refusal(record)
    if (refusal) throw refusal
    return refusal === null ? undefined : asked
  }

  /** The writes of a step; none for a record that the request does not see. */
  function toWrites({ name, id = '', records: given, change, own }: Step): Part {
    if (given) {
      const asked = ask('POST', { kind: 'collection', resource: collection(name) })
      const writes = planCreation(asked, given).map((one) => (own ? { ...one, own } : one))
      return { name, writes, count: writes.length }
    }
    const resource = service.resources.get(name)
    if (!change) {
      const asked = askMember('DELETE', name, id)
      return { name, writes: asked ? planRemoval(asked) : [], count: asked ? 1 : 0 }
    }
    const asked =
      resource?.kind === 'singleton'
        ? ask('PATCH', { kind: 'singleton', resource })
        : askMember('PATCH', name, id)
    const writes = asked ? [planChange(asked, 'patch', change)] : []
    return { name, writes, count: writes.length }
  }

  function write(plan: () => readonly Step[]): MaybePromise<JsonRecord[][]> {
    let parts: Part[] = []
    const planWrites = (): Write[] => {
      parts = plan().map(toWrites)
      return parts.flatMap(({ writes }) => writes)
    }
    return andThen(commit(viewer, planWrites), (stored) => {
      // The views of a request may depend on the data.
      viewer = { ...outer, views: new Map() }
      reads.clear()
      links.clear()
      let end = 0
      return parts.map(({ name, writes, count }) => {
        end += writes.length
        return stored.slice(end - count, end).map(viewOf(viewer, name).present)
      })
    })
  }

  const writeOne = (step: Step): MaybePromise<JsonRecord[]> =>
    andThen(
      write(() => [step]),
      ([records = []]) => records,
    )

  return {
    exchange,
    db,
    read,
    list: (name, query) => listRecords(read(name) as Listed, () => ({ query, ignored: [] })),
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
      let link = links.get(relation)
      if (!link) {
        // A refusal is one error, not an error for each record.
        links.set(relation, { follow: () => [null] })
        viewOf(read(relation.to), relation.to)
        link = visibleLinks(viewer)(name, relation.name, relation.name)
        links.set(relation, link)
      }
      return link.follow([record])[0] ?? null
    },
    write,
    create: (name, records) => writeOne({ name, records }),
    update: (name, id, set) =>
      writeOne({ name, id, change: (previous) => ({ ...previous, ...set }) }),
    remove: (name, id) => writeOne({ name, id }),
    data: () => toData(viewer),
    fieldName: (name, field) => viewOf(viewer, name).fieldName(field),
  }
}

import { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json } from '../../json/json.ts'
import { decode } from '../../url/pattern.ts'
import type { Data, LinkedResource, Serve } from '../contract/dialect.ts'
import { createWriter, mediaType } from './document.ts'
import { atomic, isAtomic, unsupported } from './media-type.ts'
import { parseFor } from './parameters.ts'
import {
  type Action,
  type Asked,
  createPlan,
  malformed,
  type Place,
  type Plan,
  refused,
} from './plan.ts'
import { readDocument, toAnswer } from './writes.ts'

/** Handles POST of `/operations`, the extension Atomic Operations: all operations are stored, or none. */
export const operations: Serve = (call, data) => {
  const type = `${mediaType};ext="${atomic}"`
  if (!isAtomic(call.headers)) throw unsupported(call, type)
  const document = readDocument(call)
  parseFor(call.params, 'results')
  const list = document['atomic:operations']
  const other = ['data', 'included', 'errors'].find((member) => Object.hasOwn(document, member))
  if (other !== undefined) throw malformed('', `it has "${other}" beside "atomic:operations"`)
  if (!Array.isArray(list) || list.length === 0 || list.length > maxOperations) {
    throw malformed('', `it needs "atomic:operations", an array of up to ${maxOperations}`)
  }
  const plan = createPlan(data)
  const places = list.map((operation, place) => {
    const pointer = `/atomic:operations/${place}`
    try {
      return perform(operation, { pointer, place, asksPermission: true }, plan, data)
    } catch (error) {
      throw withPointer(error, pointer)
    }
  })
  const indexes = places.map((at) => (at ? plan.indexOf(at) : -1))
  return {
    changes: plan.changes(),
    answer(stored) {
      const { toResource } = createWriter(data, call.params)
      const last = new Map(indexes.map((index, place) => [index, place]))
      const results = places.map((at, place) => {
        const index = indexes[place] ?? -1
        const record = stored[index]
        // A record that many operations update would be repeated as often.
        const operation = list[place]
        const isNew = isRecord(operation) && operation['op'] === 'add'
        const isShown = isNew || last.get(index) === place
        return at && record && isShown ? { data: toResource(at.name, record) } : {}
      })
      return toAnswer({ 'atomic:results': results }, type)
    },
  }
}

/** The most operations of a request. */
const maxOperations = 1000

/** Adds an operation to the plan; returns the record that its result shows. @throws MockError 4xx */
function perform(operation: Json, asked: Asked, plan: Plan, data: Data): Place | undefined {
  const { pointer } = asked
  if (!isRecord(operation)) throw malformed(pointer, 'it has to be an object')
  const { op, ref, href, data: primary } = operation
  if (typeof op !== 'string' || !Object.hasOwn(actions, op)) {
    throw malformed(pointer, 'its "op" has to be add, update or remove')
  }
  if (ref !== undefined && href !== undefined) throw malformed(pointer, 'it has "ref" and "href"')
  const target =
    href === undefined ? targetOfRef(ref, plan, pointer) : targetOfHref(href, plan, data, pointer)
  const inner = { ...asked, pointer: `${pointer}/data` }
  if (target?.relation) {
    const { relation } = target
    if (!relation.isMany && op !== 'update') {
      const reason = `Failed to ${op} members of "${relation.name}": it is to-one.`
      throw refused('RELATION_TO_ONE', `${reason} Please use "update".`, pointer)
    }
    if (primary === undefined) throw malformed(pointer, 'it needs "data"')
    plan.relate(target, relation, actions[op] ?? 'replace', primary, inner)
    return undefined
  }
  if (op === 'add') {
    const type = isRecord(primary) ? primary['type'] : undefined
    if (typeof type !== 'string') throw malformed(pointer, 'it needs "data" with a "type"')
    if (target?.id !== undefined) throw malformed(pointer, 'it adds to a resource')
    return plan.create(target?.name ?? plan.resourceNamed(type, inner.pointer), primary, inner)
  }
  if (op === 'update') {
    const at = target ?? plan.place(primary, inner.pointer)
    plan.update(at, primary, inner)
    return at
  }
  if (target?.id === undefined) throw malformed(pointer, 'it needs "ref" or "href" of a resource')
  plan.remove(target, asked)
  return undefined
}

/** How an operation changes a to-many relationship, by its code. */
const actions: Readonly<Record<string, Action>> = {
  add: 'add',
  update: 'replace',
  remove: 'remove',
}

/** The target of an operation: a collection, a record or a relationship. */
interface Target extends Place {
  relation?: LinkedResource | undefined
}

function targetOfRef(ref: Json | undefined, plan: Plan, operation: string): Target | undefined {
  if (ref === undefined) return undefined
  const pointer = `${operation}/ref`
  const at = plan.place(ref, pointer)
  const relation = isRecord(ref) ? ref['relationship'] : undefined
  if (relation === undefined) return at
  if (typeof relation !== 'string') throw malformed(pointer, '"relationship" has to be a text')
  return { ...at, relation: plan.relationOf(at.name, relation, `${pointer}/relationship`) }
}

function targetOfHref(href: Json, plan: Plan, data: Data, operation: string): Target {
  const pointer = `${operation}/href`
  if (typeof href !== 'string') throw malformed(pointer, 'it has to be a text')
  const path = (data.toPath(href) ?? '').slice(1)
  const isWithin = (name: string): boolean => path === name || path.startsWith(`${name}/`)
  const names = data.names().filter(isWithin)
  const [name = ''] = names.toSorted((one, two) => two.length - one.length)
  const found = /^(?:\/([^/]+)(?:\/relationships\/([^/]+))?)?$/.exec(path.slice(name.length))
  if (name === '' || !found) {
    throw refused('NOT_FOUND', `Failed to find the target of "${href}".`, pointer)
  }
  const [id, own] = found.slice(1).map((part?: string) => part && decode(part))
  return { name, id, relation: own ? plan.relationOf(name, own, pointer) : undefined }
}

/** Adds the pointer of the operation to an error that has no source. */
function withPointer(error: unknown, pointer: string): unknown {
  if (!(error instanceof MockError) || error.extensions['source']) return error
  const { message, status, code, headers, extensions } = error
  return new MockError(message, {
    status,
    code,
    headers,
    cause: error,
    extensions: { ...extensions, source: { pointer } },
  })
}

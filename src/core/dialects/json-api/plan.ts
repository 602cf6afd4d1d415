import { MockError } from '../../errors/mock-error.ts'
import { suggest } from '../../errors/nearest.ts'
import { define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Change, Data, LinkedResource } from '../contract/dialect.ts'
import { fieldOf, idText, resourceOf, typeOf } from './names.ts'

/** Collects the writes of operations, each of which sees those before, and merges the writes of each record. */
export function createPlan(data: Data): Plan {
  const names = data.names()
  const entries = new Map<string, Entry>()
  let visits = 0
  let indexes: ReadonlyMap<string, number> | undefined
  /** The records with local ids (JSON:API 1.1, "Identification"), by type and local id. */
  const local = new Map<string, Place>()

  function current({ name, id }: Place): JsonRecord {
    const entry = entries.get(keyOf({ name, id }))
    if (!entry) return data.editable(name, id)
    if (entry.record) return entry.record
    const reason = `Failed to find "${id}" in "${name}": an operation before removes it.`
    throw refused('NOT_FOUND', reason, entry.pointer)
  }

  function exists({ name, id = '' }: Place): boolean {
    const entry = entries.get(keyOf({ name, id }))
    return entry ? entry.record !== undefined : data.find(name, id) !== undefined
  }

  /** The id of a record as it is stored, a number or a text. */
  function storedId({ name, id = '' }: Place): Json {
    const record = entries.get(keyOf({ name, id }))?.record ?? data.find(name, id)
    return ownValue(record ?? {}, data.idField(name)) ?? id
  }

  function isNew(at: Place): boolean {
    return entries.get(keyOf(at))?.action === 'create'
  }

  function patch(at: Place, fields: JsonRecord, asked: Asked): void {
    const record = { ...current(at), ...fields }
    const before = entries.get(keyOf(at)) ?? { ...asked, ...at, action: 'patch' }
    entries.set(keyOf(at), { ...before, record })
  }

  function add(name: string, fields: JsonRecord, id: string | undefined, asked: Asked): Place {
    const idField = data.idField(name)
    const given = id ?? data.newId(name, (one) => entries.has(keyOf({ name, id: one })))
    const at = { name, id: String(given) }
    const own = id === undefined ? [idField] : []
    const record = { [idField]: given, ...fields }
    entries.set(keyOf(at), { ...asked, ...at, action: 'create', record, own })
    return at
  }

  function remove(at: Place, asked: Asked): void {
    current(at)
    if (isNew(at)) return void entries.delete(keyOf(at))
    const removal = { action: 'remove', record: undefined, hasDependents: true } as const
    entries.set(keyOf(at), { ...asked, ...at, ...removal })
  }

  function place(identifier: Json | undefined, pointer: string): Place & { id: string } {
    if (!isRecord(identifier)) throw malformed(pointer, 'it has to be an object')
    const { type, id, lid } = identifier
    if (typeof type !== 'string') throw malformed(pointer, 'it needs "type", which is a text')
    if (id === undefined && typeof lid === 'string') {
      const known = local.get(keyOf({ name: type, id: lid }))
      if (known?.id !== undefined) return { ...known, id: known.id }
      const reason = `Failed to find the lid "${lid}" of type "${type}": no resource before has it.`
      throw refused('NOT_FOUND', reason, `${pointer}/lid`)
    }
    if (typeof id !== 'string') throw malformed(pointer, 'it needs "id", which is a text')
    return { name: resourceNamed(type, pointer), id }
  }

  function resourceNamed(type: string, pointer: string): string {
    const name = resourceOf(type, names)
    if (name !== undefined) return name
    const types = names.map((one) => typeOf(one, names))
    const reason = `Failed to find the type "${type}". ${suggest(type, types)}`
    throw refused('NOT_FOUND', reason, `${pointer}/type`)
  }

  /** The ids of a linkage, all of which exist in the related collection. @throws MockError 400, 404 or 409 */
  function idsIn(linkage: Json | undefined, relation: LinkedResource, pointer: string): string[] {
    const { isMany, collection } = relation
    if (isMany !== Array.isArray(linkage)) {
      const form = isMany ? 'an array of resource identifiers' : 'one resource identifier or null'
      throw malformed(pointer, `the relationship "${relation.name}" takes ${form}`)
    }
    const list = linkage === null ? [] : [linkage].flat()
    const ids = list.map((one, at): string => {
      const own = isMany ? `${pointer}/${at}` : pointer
      const found = place(one, own)
      checkType(typeOf(found.name, names), collection, own)
      if (exists(found)) return found.id
      throw refused('NOT_FOUND', `Failed to find "${found.id}" in "${collection}".`, own)
    })
    return [...new Set(ids)]
  }

  function checkType(type: Json | undefined, name: string, pointer: string): void {
    const wanted = typeOf(name, names)
    if (typeof type !== 'string') throw malformed(pointer, `it needs "type", which is "${wanted}"`)
    if (type === wanted) return
    const reason = `Failed to write: the type is "${type}", but has to be "${wanted}".`
    throw refused('TYPE_CONFLICT', reason, `${pointer}/type`)
  }

  const relate: Plan['relate'] = (at, relation, action, linkage, asked) => {
    const ids = idsIn(linkage, relation, asked.pointer)
    const { collection: name, isMany, keys } = relation
    if (!keys) return relateOthers(at, relation, action, ids, { ...asked, asksPermission: true })
    const given = ids.map((id) => storedId({ name, id }))
    const [first = null] = given
    const record = current(at)
    const value = isMany ? merge(listAt(record, keys), action, given) : first
    patch(at, { [spellingOf(record, keys)]: value }, asked)
  }

  /** Changes a relationship that the related records, or records that join both sides, hold. */
  function relateOthers(
    at: Place,
    relation: LinkedResource,
    action: Action,
    ids: readonly string[],
    asked: Asked,
  ): void {
    const own = storedId(at)
    const { collection: name, foreignKey, join } = relation
    const rows = join?.relation ?? relation
    const holders = join || action !== 'add' ? holdersOf(at, rows) : []
    const toId = (one: Place): string =>
      join ? idText(ownValue(current(one), join.far)) : (one.id ?? '')
    const members = new Map(holders.map((one) => [toId(one), one]))
    const wanted = new Set(ids)
    const isLeft = (id: string): boolean => wanted.has(id) === (action === 'remove')
    const removed = action === 'add' ? [] : [...members].filter(([id]) => isLeft(id))
    const added = action === 'remove' ? [] : ids.filter((id) => !members.has(id))
    const setKey = (one: Place, isAdded: boolean): void => {
      const { keys = [], isList } = foreignKey ?? {}
      const record = current(one)
      const list = merge(listAt(record, keys), isAdded ? 'add' : 'remove', [own])
      patch(one, { [spellingOf(record, keys)]: isList ? list : isAdded ? own : null }, asked)
    }
    for (const [, one] of removed) {
      if (join) remove(one, asked)
      else setKey(one, false)
    }
    for (const id of added) {
      if (!join) setKey({ name, id }, true)
      else {
        const row = { [join.near]: own, [join.far]: storedId({ name, id }) }
        add(rows.collection, row, undefined, asked)
      }
    }
  }

  /** The records that hold a key of a record, as the operations before have left them. */
  function holdersOf(
    at: Place,
    { name: relation, collection: name, foreignKey }: LinkedResource,
  ): Place[] {
    const idField = data.idField(name)
    const stored = isNew(at) ? [] : data.related(at.name, current(at), relation)
    const ids = stored.map((record) => idText(record[idField]))
    const planned = [...entries.values()].flatMap((one) =>
      one.name === name ? (one.id ?? []) : [],
    )
    const own = idText(storedId(at))
    visits += ids.length + planned.length
    if (visits > maxVisits) throw malformed('', 'it changes too many relationships')
    return [...new Set([...ids, ...planned])]
      .map((id) => ({ name, id }))
      .filter((one) => exists(one))
      .filter((one) =>
        listAt(current(one), foreignKey?.keys ?? [])
          .map(idText)
          .includes(own),
      )
  }

  /** Stores the attributes and relationships of a resource object. */
  function fill(at: Place, resource: JsonRecord, asked: Asked): void {
    const idField = data.idField(at.name)
    const fields: JsonRecord = {}
    for (const [member, value] of membersIn(resource, 'attributes', asked.pointer)) {
      const pointer = `${asked.pointer}/attributes/${member}`
      if (member === 'type' || member === 'id')
        throw malformed(pointer, 'no attribute has this name')
      define(fields, fieldOf(member, at.name, idField), value)
    }
    patch(at, fields, asked)
    for (const [member, value] of membersIn(resource, 'relationships', asked.pointer)) {
      const pointer = `${asked.pointer}/relationships/${member}`
      const relation = relationOf(at.name, member, pointer)
      const linkage = isRecord(value) ? value['data'] : undefined
      if (linkage === undefined) throw malformed(pointer, 'it has to be an object with "data"')
      relate(at, relation, 'replace', linkage, { ...asked, pointer: `${pointer}/data` })
    }
  }

  const relationOf: Plan['relationOf'] = (name, relation, pointer) => {
    const found = data.relation(name, relation)
    if (found) return found
    const known = data.relationsOf(name).map((one) => one.name)
    const hint = suggest(relation, known)
    const reason = `Failed to find the relationship "${relation}" of "${name}". ${hint}`
    throw refused('RELATION_UNKNOWN', reason, pointer)
  }

  /** @throws MockError 409 for an id that exists, 403 in a collection whose ids are numbers, which the server draws */
  function checkClientId(id: Json, name: string, pointer: string): string {
    if (typeof id !== 'string' || id === '') throw malformed(pointer, 'it has to be a text')
    const failed = `Failed to insert "${id}" into "${name}"`
    if (exists({ name, id })) throw refused('ID_TAKEN', `${failed}: it exists.`, pointer)
    const isDrawn = typeof data.newId(name, () => false) === 'number'
    if (!isDrawn || [data.read(name)].flat().length === 0) return id
    const advice = 'Please leave the id out, or use UUIDs in the fixtures.'
    const reason = `${failed}: the server draws its ids, which are numbers. ${advice}`
    throw refused('ID_UNSUPPORTED', reason, pointer)
  }

  return {
    place,
    resourceNamed,
    relate,
    relationOf,
    remove,
    create(name, resource, asked, fields = {}) {
      const { pointer } = asked
      if (!isRecord(resource)) throw malformed(pointer, 'it has to be a resource object')
      const { type, id, lid } = resource
      checkType(type, name, pointer)
      const given = id === undefined ? id : checkClientId(id, name, `${pointer}/id`)
      if (lid !== undefined && typeof lid !== 'string') {
        throw malformed(`${pointer}/lid`, 'it has to be a text')
      }
      const at = add(name, fields, given, asked)
      if (lid !== undefined) local.set(keyOf({ name: typeOf(name, names), id: lid }), at)
      fill(at, resource, asked)
      return at
    },
    update(at, resource, asked) {
      const { pointer } = asked
      if (!isRecord(resource)) throw malformed(pointer, 'it has to be a resource object')
      const { type, id, lid } = resource
      const own = at.id ?? (idText(current(at)[data.idField(at.name)]) || at.name)
      checkType(type, at.name, pointer)
      if (typeof id !== 'string' && lid === undefined) {
        throw malformed(pointer, `it needs "id", which is "${own}"`)
      }
      if (id !== undefined && id !== own) {
        const reason = `Failed to write "${own}": the body has another id.`
        throw refused('ID_CONTRADICTED', reason, `${pointer}/id`)
      }
      fill(at, resource, asked)
    },
    changes: () => [...entries.values()],
    indexOf(at) {
      indexes ??= new Map([...entries.keys()].map((key, index) => [key, index]))
      return indexes.get(keyOf(at)) ?? -1
    },
  }
}

/** The most records that the operations of a request visit to find the members of relationships. */
const maxVisits = 500_000

/** The writes of one or more operations. */
export interface Plan {
  /** The record that a resource identifier names, also by a local id. @throws MockError 400 or 404 */
  place(identifier: Json | undefined, pointer: string): Place & { id: string }
  /** The resource with a type. @throws MockError 404 */
  resourceNamed(type: string, pointer: string): string
  /** Creates the record of a resource object; `fields` are further fields. */
  create(name: string, resource: Json | undefined, asked: Asked, fields?: JsonRecord): Place
  update(at: Place, resource: Json | undefined, asked: Asked): void
  remove(at: Place, asked: Asked): void
  relate(
    at: Place,
    relation: LinkedResource,
    action: Action,
    linkage: Json | undefined,
    asked: Asked,
  ): void
  /** The relation of that name. @throws MockError 404 */
  relationOf(name: string, relation: string, pointer?: string): LinkedResource
  changes(): Change[]
  /** The index of the change of a record, after all operations; -1 without one. */
  indexOf(at: Place): number
}

/** How an operation changes a to-many relationship. */
export type Action = 'replace' | 'add' | 'remove'

/** A record, by resource and id; a singleton without an id. */
export type Place = Pick<Change, 'name' | 'id'>

/** An operation: the JSON Pointer of its primary data, and the facts that its changes have. */
export interface Asked extends Pick<Change, 'place' | 'asksPermission'> {
  pointer: string
}

type Entry = Change & Asked

function keyOf({ name, id = '' }: Place): string {
  return JSON.stringify([name, id])
}

function listAt(record: JsonRecord, keys: readonly string[]): Json[] {
  return keys.flatMap((key) => ownValue(record, key) ?? [])
}

/** The spelling of a key that a record has. */
function spellingOf(record: JsonRecord, keys: readonly string[]): string {
  return keys.find((key) => Object.hasOwn(record, key)) ?? keys[0] ?? ''
}

function merge(held: readonly Json[], action: Action, given: readonly Json[]): Json[] {
  if (action === 'replace') return [...given]
  const texts = new Set((action === 'add' ? held : given).map(idText))
  const isOther = (one: Json): boolean => !texts.has(idText(one))
  return action === 'add' ? [...held, ...given.filter(isOther)] : held.filter(isOther)
}

/** The attributes or relationships of a resource object, without @-Members, which are neither ("@-Members"). */
function membersIn(resource: JsonRecord, part: string, pointer: string): [string, Json][] {
  const members = resource[part] ?? {}
  if (!isRecord(members)) throw malformed(`${pointer}/${part}`, 'it has to be an object')
  return Object.entries(members).filter(([name]) => !name.startsWith('@'))
}

/** The statuses of errors, by code. */
const statuses = {
  BODY_INVALID: 400,
  ID_UNSUPPORTED: 403,
  RELATION_TO_ONE: 403,
  NOT_FOUND: 404,
  RELATION_UNKNOWN: 404,
  ID_CONTRADICTED: 409,
  ID_TAKEN: 409,
  TYPE_CONFLICT: 409,
}

/** Creates an error about the value at a JSON Pointer in the body. */
export function refused(code: keyof typeof statuses, message: string, pointer?: string): MockError {
  const source = pointer !== undefined && { source: { pointer } }
  return new MockError(message, { status: statuses[code], code, extensions: { ...source } })
}

/** Creates the error 400 about the value at a JSON Pointer in the body. */
export function malformed(pointer: string, reason: string): MockError {
  const subject = pointer === '' ? 'the document' : `"${pointer}"`
  return refused('BODY_INVALID', `Failed to read ${subject}: ${reason}.`, pointer)
}

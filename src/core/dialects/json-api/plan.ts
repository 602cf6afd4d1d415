import { MockError } from '../../errors/mock-error.ts'
import { suggest } from '../../errors/nearest.ts'
import { define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Change, Data, LinkedResource } from '../contract/dialect.ts'
import { createHolders } from './holders.ts'
import { fieldOf, idText, keysIn, resourceOf, typeOf } from './names.ts'

/** Collects the writes of operations, each of which sees those before, and merges the writes of each record. */
export function createPlan(data: Data): Plan {
  const names = data.names()
  const entries = new Map<string, Entry>()
  let indexes: ReadonlyMap<string, number> | undefined
  /** The records with local ids (JSON:API 1.1, "Identification"), by type and local id. */
  const local = new Map<string, Place>()

  const holders = createHolders({
    *records(collection) {
      for (const entry of entries.values()) {
        const record = entry.name === collection && recordOf(entry)
        if (record && entry.id !== undefined) yield [entry.id, record]
      }
    },
    current(name, id, stored) {
      const entry = entries.get(keyOf({ name, id }))
      return entry ? recordOf(entry) : stored
    },
  })

  /** Returns the write of a record, which starts from the stored record. @throws MockError 404 if it is removed */
  function entryOf(at: Place, asked: Asked): Entry {
    const before = entries.get(keyOf(at))
    if (before?.record) return before
    const entry: Entry = { ...asked, ...at, action: 'patch', record: current(at) }
    entries.set(keyOf(at), entry)
    return entry
  }

  function current(at: Place): JsonRecord {
    const entry = entries.get(keyOf(at))
    const record = entry ? recordOf(entry) : data.editable(at.name, at.id)
    if (record) return record
    const reason = `Failed to find "${at.id}" in "${at.name}": an operation before removes it.`
    throw refused('NOT_FOUND', reason, entry?.pointer)
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
    const entry = entryOf(at, asked)
    const before = recordOf(entry) ?? {}
    entry.record = { ...before, ...fields }
    for (const field of Object.keys(fields)) entry.lists?.delete(field)
    if (at.id !== undefined) holders.update(at.name, at.id, before, entry.record)
  }

  /** Changes the list of keys in a field, which becomes an array once the record is read. */
  function changeList(
    at: Place,
    keys: readonly string[],
    action: Action,
    given: readonly Json[],
    asked: Asked,
  ): void {
    const entry = entryOf(at, asked)
    const record = entry.record ?? {}
    const field = spellingOf(record, keys)
    const toEntry = (one: Json): [Json, Json] => [idText(one) || one, one]
    const lists = (entry.lists ??= new Map())
    const list = lists.get(field) ?? new Map(keysIn(record, keys).map(toEntry))
    lists.set(field, list)
    entry.isStale = true
    const texts = new Set(given.map(idText))
    const isLeaving = (one: Json): boolean => !texts.has(idText(one))
    const leaving = action === 'replace' ? [...list.values()].filter(isLeaving) : given
    const removed = action === 'add' ? [] : leaving
    const added = action === 'remove' ? [] : given
    if (action === 'replace') list.clear()
    for (const one of removed) list.delete(idText(one) || one)
    for (const one of added) if (!list.has(idText(one))) list.set(...toEntry(one))
    const { name, id } = at
    if (id !== undefined)
      holders.update(name, id, { [field]: [...removed] }, { [field]: [...added] })
  }

  function add(name: string, fields: JsonRecord, id: string | undefined, asked: Asked): Place {
    const idField = data.idField(name)
    const given = id ?? data.newId(name, (one) => entries.has(keyOf({ name, id: one })))
    const at = { name, id: String(given) }
    const own = id === undefined ? [idField] : []
    const record = { [idField]: given, ...fields }
    entries.set(keyOf(at), { ...asked, ...at, action: 'create', record, own })
    holders.update(name, at.id, {}, record)
    return at
  }

  function remove(at: Place, asked: Asked): void {
    const record = current(at)
    if (at.id !== undefined) holders.update(at.name, at.id, record, {})
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
    if (isMany) changeList(at, keys, action, given, asked)
    else patch(at, { [spellingOf(current(at), keys)]: given[0] ?? null }, asked)
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
    const { foreignKey, join } = relation
    const rows = join?.relation ?? relation
    const { collection: name } = rows
    const load = (): readonly JsonRecord[] =>
      isNew(at) ? [] : data.related(at.name, current(at), rows.name)
    const members =
      join || action !== 'add'
        ? holders.find(idText(own), rows, join?.far, data.idField(name), load)
        : new Map<string, Set<string>>()
    const wanted = new Set(ids)
    const isLeaving = (id: string): boolean => !wanted.has(id)
    const removed = action === 'replace' ? [...members.keys()].filter(isLeaving) : ids
    const added = action === 'remove' ? [] : ids.filter((id) => !members.has(id))
    const setKey = (id: string, isAdded: boolean): void => {
      const { keys = [], isList } = foreignKey ?? {}
      const one = { name, id }
      if (isList) changeList(one, keys, isAdded ? 'add' : 'remove', [own], asked)
      else patch(one, { [spellingOf(current(one), keys)]: isAdded ? own : null }, asked)
    }
    for (const id of action === 'add' ? [] : removed) {
      for (const holder of members.get(id) ?? []) {
        if (join) remove({ name, id: holder }, asked)
        else setKey(holder, false)
      }
    }
    for (const id of added) {
      if (!join) setKey(id, true)
      else {
        const far = storedId({ name: relation.collection, id })
        add(name, { [join.near]: own, [join.far]: far }, undefined, asked)
      }
    }
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
    changes: () => [...entries.values()].map((entry) => ({ ...entry, record: recordOf(entry) })),
    indexOf(at) {
      indexes ??= new Map([...entries.keys()].map((key, index) => [key, index]))
      return indexes.get(keyOf(at)) ?? -1
    },
  }
}

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

/** The write of a record. */
interface Entry extends Change, Asked {
  /** The lists of keys that operations have changed, by field and the id as text, and whether the record lacks them. */
  lists?: Map<string, Map<Json, Json>>
  isStale?: boolean
}

/** The record that a write stores, with its changed lists. */
function recordOf(entry: Entry): JsonRecord | undefined {
  if (!entry.isStale || !entry.record) return entry.record
  entry.isStale = false
  const toValue = ([field, list]: [string, Map<Json, Json>]): [string, Json] => [
    field,
    [...list.values()],
  ]
  const changed = Object.fromEntries([...(entry.lists ?? [])].map(toValue))
  entry.record = { ...entry.record, ...changed }
  return entry.record
}

function keyOf({ name, id = '' }: Place): string {
  return JSON.stringify([name, id])
}

/** The spelling of a key that a record has. */
function spellingOf(record: JsonRecord, keys: readonly string[]): string {
  return keys.find((key) => Object.hasOwn(record, key)) ?? keys[0] ?? ''
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

import { objectOf, valueTypeOf } from '../json/flat-schema.ts'
import type { OperationAction } from '../dialects/contract/openapi-source.ts'
import type { Answer, Call, Changes, Data } from '../dialects/contract/dialect.ts'
import { MockError } from '../errors/mock-error.ts'
import { inside, type Part } from '../json/documents.ts'
import { define, isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import type { BoundDocument } from './bind.ts'
import type { Binding, BoundCollection, ParentKey } from './binding.ts'
import type { Engine } from './engine.ts'
import { listFactOf, wrap } from './envelope.ts'
import { createExpansions, expand } from './expand.ts'
import { drawId, drawRecord } from './seed-data.ts'
import { complete, project, type Tools, withoutHidden } from './project.ts'
import { type Selected, select } from './question.ts'
import { repair, typeOf } from './respond.ts'
import type { ReadRequest } from './request.ts'
import { successOf } from './views.ts'

/** Creates the functions that answer operations on collections and singletons, by action. */
export function createActions(
  { collections }: BoundDocument,
  engine: Engine,
  tools: Tools,
  exampleOf: (binding: Binding) => Answer,
): Readonly<Record<OperationAction, Act>> {
  const expansionsOf = createExpansions(collections, tools.flatten)

  /** The records as responses show them, by the schema: a stored record never changes. */
  const shown = new WeakMap<JsonRecord, Map<string, Json>>()

  function ownerOf({ collection, operation }: Binding): BoundCollection {
    const owner = collections.get(collection ?? '')
    if (owner) return owner
    throw new MockError(`Failed to answer: "${operation.path}" has no collection.`)
  }

  function list(step: Step): Answer {
    const { binding, request, data, call } = step
    const owner = ownerOf(binding)
    checkParents(step)
    const read = data.read(owner.name)
    const records = (Array.isArray(read) ? read : read === undefined ? [] : [read]).filter(isRecord)
    const flat = owner.record && objectOf(owner.record, tools.flatten)
    const own = records.filter((record) => belongs(record, binding.parents, request.path))
    const fields = flat?.properties ?? new Map<string, unknown>()
    const selected = select(own, request, binding.operation, fields, owner.idField)
    const { view } = binding
    const most = maxItemsOf(binding, tools)
    const page = selected.records.slice(0, most).map((record) => show(record, binding, owner))
    const facts = listFactOf({ ...selected, count: page.length, url: toUrl(call, selected) })
    const schema = view.content?.schema
    const value =
      schema && view.kind === 'list' ? wrap(page, schema, view.keys, facts, tools) : page
    return toAnswer(binding, value, step)
  }

  function read(step: Step): Answer {
    const { binding } = step
    return answerRecord(step, ownerOf(binding), findRecord(step))
  }

  function create(step: Step): Changes | Answer {
    const { binding, request, data } = step
    const owner = ownerOf(binding)
    if (owner.kind === 'singleton') return replace(step)
    checkParents(step)
    const record = toFields(request.body, binding, owner)
    const known = (data.read(owner.name) ?? []) as readonly JsonRecord[]
    const given = record[owner.idField]
    const hasId = (typeof given === 'string' && given !== '') || typeof given === 'number'
    if (!hasId) define(record, owner.idField, drawId(owner, known, data.random, tools))
    setParents(record, binding.parents, request.path)
    fillIn(record, owner, data)
    return {
      changes: [{ action: 'create', name: owner.name, record }],
      answer: ([stored = record]) =>
        withLocation(answerRecord(step, owner, stored), binding, step.call, stored[owner.idField]),
    }
  }

  function replace(step: Step): Changes {
    return write(step, (previous, fields) => {
      const sent = step.binding.view.sent
      const flat = sent && objectOf(sent, tools.flatten)
      // Fields that clients cannot send stay.
      const kept = Object.entries(previous).filter(([key]) => flat && !flat.properties.has(key))
      return { ...Object.fromEntries(kept), ...fields }
    })
  }

  function update(step: Step): Changes {
    return write(step, (previous, fields) => merge(previous, fields))
  }

  function write(
    step: Step,
    change: (previous: JsonRecord, fields: JsonRecord) => JsonRecord,
  ): Changes {
    const { binding, request, data } = step
    const owner = ownerOf(binding)
    const previous = findRecord(step)
    const fields = toFields(request.body, binding, owner)
    const record = change(previous, fields)
    if (owner.kind !== 'singleton') define(record, owner.idField, previous[owner.idField])
    for (const { field } of owner.keys) {
      const [key = ''] = field
      if (key.startsWith('$') && previous[key] !== undefined) define(record, key, previous[key])
    }
    stamp(record, owner, data.now(), tools, 'update')
    fillIn(record, owner, data)
    const id = owner.kind === 'singleton' ? {} : { id: scalarText(previous[owner.idField]) }
    const isNew = owner.kind === 'nested' && !data.find(owner.name, id.id ?? '')
    return {
      changes: [{ action: isNew ? 'create' : 'replace', name: owner.name, ...id, record }],
      answer: ([stored = record]) => answerRecord(step, owner, stored),
    }
  }

  function remove(step: Step): Changes | Answer {
    const { binding, data } = step
    const owner = ownerOf(binding)
    const record = findRecord(step)
    const id = scalarText(record[owner.idField])
    if (owner.kind !== 'collection' && !data.find(owner.name, id)) return exampleOf(binding)
    return {
      changes: [{ action: 'remove', name: owner.name, id }],
      answer: () => answerRecord(step, owner, record),
    }
  }

  /** Finds the record that a request names. @throws MockError 404 */
  function findRecord(step: Step): JsonRecord {
    const { binding, request, data } = step
    const owner = ownerOf(binding)
    if (owner.kind === 'singleton') {
      const value = data.read(owner.name)
      return isRecord(value) ? value : {}
    }
    if (owner.kind === 'nested') {
      checkParents(step)
      const id = Object.values(request.path).join(' ')
      const known = data.find(owner.name, id)
      if (known) return data.shown(owner.name, known)
      const drawn = { ...drawRecord(owner, id, tools), [owner.idField]: id }
      setParents(drawn, binding.parents, request.path)
      return drawn
    }
    const body = isRecord(request.body) ? request.body : {}
    const asked = binding.member === undefined ? body[owner.idField] : request.path[binding.member]
    const id = asked === undefined || typeof asked === 'object' ? '' : String(asked)
    const found = data.find(owner.name, id)
    if (!found || !belongs(found, binding.parents, request.path)) {
      throw notFound(`Failed to find "${id}" in "${owner.name}".`)
    }
    return data.shown(owner.name, found)
  }

  /** @throws MockError 404 for a parent that does not exist */
  function checkParents({ binding, request, data }: Step): void {
    for (const { collection, parameter } of binding.parents) {
      if (collection === undefined || data.kindOf(collection) !== 'collection') continue
      const id = request.path[parameter] ?? ''
      if (!data.find(collection, id)) throw notFound(`Failed to find "${id}" in "${collection}".`)
    }
  }

  function show(record: JsonRecord, { view }: Binding, owner: BoundCollection): Json {
    const { record: schema } = view
    if (!schema) return withoutHidden(record)
    const known = shown.get(record) ?? new Map<string, Json>()
    shown.set(record, known)
    const found = known.get(schema.uri)
    if (found !== undefined) return found
    const projected = project(record, schema, owner.record, tools)
    const value = owner.isGenerated ? repair(projected, schema, engine, tools) : projected
    known.set(schema.uri, value)
    return value
  }

  function answerRecord(step: Step, owner: BoundCollection, record: JsonRecord): Answer {
    const { binding } = step
    const { view } = binding
    const schema = view.content?.schema
    const [status, response] = successOf(binding.operation)
    // A document that describes no success leaves the answer open.
    if (!response) {
      return {
        status,
        headers: [],
        value: binding.action === 'remove' ? undefined : withoutHidden(record),
      }
    }
    if (!binding.showsRecord || !schema) return exampleOf(binding)
    const value = show(record, binding, owner)
    const body = wrap(value, schema, view.keys, () => undefined, tools)
    // An envelope without required members may fit two choices of `oneOf`.
    const isOpen = view.keys.length > 0 && tools.flatten(schema).choices.length > 0
    return toAnswer(binding, isOpen ? repair(body, schema, engine, tools) : body, step)
  }

  function toAnswer({ view }: Binding, body: Json, { request, data }: Step): Answer {
    const { status, content, kind, keys } = view
    const parts = { data, tools, expansionsOf }
    const value = content?.schema
      ? expand(body, content.schema, kind === 'list' ? keys : [], request, parts)
      : body
    return { status, headers: [], value, ...(content && typeOf(content)) }
  }

  /** The fields of a body that records have, with values that their schema allows. */
  function toFields(body: Json | undefined, { view }: Binding, owner: BoundCollection): JsonRecord {
    const [key] = view.keys
    const inner =
      isRecord(body) && key !== undefined && Object.keys(body).length === 1 ? body[key] : undefined
    const given = isRecord(inner) ? inner : body
    if (!isRecord(given)) return {}
    const flat = owner.record && objectOf(owner.record, tools.flatten)
    if (!flat || flat.properties.size === 0) return { ...given }
    const fields: JsonRecord = {}
    for (const [name, value] of Object.entries(given)) {
      const [property] = flat.properties.get(name) ?? []
      const isOwn = property
        ? engine.accepts(property, value) || value === null
        : name === owner.idField
      if (isOwn) define(fields, name, value)
    }
    return fields
  }

  /** Adds what the schema of records requires, and times. */
  function fillIn(record: JsonRecord, owner: BoundCollection, data: Data): void {
    const flat = owner.record && objectOf(owner.record, tools.flatten)
    if (!flat) return
    for (const [key, value] of Object.entries(record)) {
      const [property] = value === null ? (flat.properties.get(key) ?? []) : []
      if (property && !engine.accepts(property, null)) delete record[key]
    }
    stamp(record, owner, data.now(), tools, 'create')
    complete(
      record,
      flat,
      `${tools.seed} ${owner.name} ${scalarText(record[owner.idField])}`,
      tools,
    )
  }

  return {
    list,
    read,
    create,
    replace,
    update,
    remove,
    example: ({ binding }) => exampleOf(binding),
    none: ({ binding }) => exampleOf(binding),
  }
}

/** Answers an operation. */
export type Act = (step: Step) => Answer | Changes

/** A request for an operation, and the data. */
export interface Step {
  call: Call
  binding: Binding
  request: ReadRequest
  data: Data
}

/** The most records that the response may have. */
function maxItemsOf({ view }: Binding, { flatten }: Tools): number | undefined {
  const body = view.content?.schema
  const listed = view.keys.reduce<Part | undefined>(
    (outer, key) => outer && objectOf(outer, flatten)?.properties.get(key)?.[0],
    body,
  )
  const most = listed && flatten(listed).limits['maxItems']
  return typeof most === 'number' ? most : undefined
}

function notFound(message: string): MockError {
  return new MockError(message, { status: 404, code: 'NOT_FOUND' })
}

/** Whether a record belongs to the parents that a path names; a record without the key belongs to all. */
function belongs(
  record: JsonRecord,
  parents: readonly ParentKey[],
  path: Readonly<Record<string, string>>,
): boolean {
  return parents.every(({ field, parameter }) => {
    let value: Json | undefined = record
    for (const key of field) value = isRecord(value) ? value[key] : undefined
    if (value === undefined || value === null || typeof value === 'object') return true
    return String(value) === path[parameter]
  })
}

/** Sets the keys of a new record to the parents that the path names. */
function setParents(
  record: JsonRecord,
  parents: readonly ParentKey[],
  path: Readonly<Record<string, string>>,
): void {
  for (const { field, parameter, isHidden } of parents) {
    const [key = ''] = field
    const text = path[parameter]
    if (text === undefined || field.length > 1 || Object.hasOwn(record, key)) continue
    const isNumber = /^\d+$/.test(text) && Number.isSafeInteger(Number(text))
    define(record, key, isNumber && !isHidden ? Number(text) : text)
  }
}

const stampNames = {
  create:
    /^(?:created|updated|modified|last_?modified|created_?on|inserted)(?:_?(?:at|date|on|time))?$|^date_?created$/i,
  update: /^(?:updated|modified|last_?modified|last_?updated)(?:_?(?:at|date|on|time))?$/i,
}

/** Sets the times of a write: on a new record where they are missing, on an update where they are. */
function stamp(
  record: JsonRecord,
  { record: schema }: BoundCollection,
  now: number,
  { flatten }: Tools,
  kind: 'create' | 'update',
): void {
  const flat = schema && objectOf(schema, flatten)
  for (const [key, [property]] of flat?.properties ?? []) {
    if (!property || !stampNames[kind].test(key)) continue
    if (kind === 'create' ? Object.hasOwn(record, key) : !Object.hasOwn(record, key)) continue
    const inner = flatten(property)
    const type = valueTypeOf(inner)
    const { format } = inner.limits
    const iso = new Date(now).toISOString()
    if (type === 'integer') define(record, key, Math.floor(now / 1000))
    else if (type === 'string' && format === 'date') define(record, key, iso.slice(0, 10))
    else if (type === 'string' && format === 'date-time') define(record, key, iso)
  }
}

/** Merges a body into a record (RFC 7396), except that null stays where the schema allows null. */
function merge(previous: JsonRecord, fields: JsonRecord): JsonRecord {
  const merged: JsonRecord = { ...previous }
  for (const [key, value] of Object.entries(fields)) {
    const held = merged[key]
    define(merged, key, isRecord(value) && isRecord(held) ? merge(held, value) : value)
  }
  return merged
}

function withLocation(
  answer: Answer,
  { operation }: Binding,
  { path }: Call,
  id: Json | undefined,
): Answer {
  const [, response] = successOf(operation)
  const headers = response && inside(response, 'headers')
  const isNamed =
    isRecord(headers?.value) && Object.keys(headers.value).some((one) => /^location$/i.test(one))
  if (!isNamed) return answer
  const location = `${path.replace(/\/$/, '')}/${encodeURIComponent(scalarText(id))}`
  return { ...answer, headers: [...answer.headers, ['Location', location]] }
}

/** Creates the function that gives the URLs of other pages. */
function toUrl(
  { url }: Call,
  { total, limit, offset, pageParameter }: Selected,
): (page: 'first' | 'last' | 'next' | 'prev' | 'self') => string | undefined {
  return (page) => {
    if (page === 'self') return url
    const last = Math.max(0, Math.ceil(total / Math.max(limit, 1)) - 1) * limit
    const from = { first: 0, last, next: offset + limit, prev: Math.max(0, offset - limit) }[page]
    const isThere = page === 'next' ? from < total : page === 'prev' ? offset > 0 : true
    if (!isThere || !pageParameter) return undefined
    const { name, valueOf } = pageParameter
    const [address = '', search = ''] = url.split('?', 2)
    const others = search.split('&').filter((one) => one !== '' && one.split('=', 1)[0] !== name)
    return `${address}?${[...others, `${encodeURIComponent(name)}=${valueOf(from)}`].join('&')}`
  }
}

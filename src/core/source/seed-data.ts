import { objectOf, valueTypeOf } from '../json/flat-schema.ts'
import { elementsOf, inside, keysOf, type Part } from '../json/documents.ts'
import { clone, define, isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { parentNamed } from '../text/foreign-keys.ts'
import { createRandom, hash, type Random, randomUuid } from '../time/random.ts'
import type { BoundDocument } from './bind.ts'
import type { BoundCollection } from './binding.ts'
import type { Engine } from './engine.ts'
import { createExpansions } from './expand.ts'
import { complete, type Tools } from './project.ts'

/**
 * Creates the data of the collections and singletons that have no fixture: the examples of the document, then
 * generated records up to `count`.
 */
export function createSeedData(
  bound: BoundDocument,
  given: Readonly<Record<string, unknown>>,
  count: number,
  tools: Tools,
  engine: Engine,
): JsonRecord {
  const data: JsonRecord = {}
  const examples = collectExamples(bound, engine)
  for (const collection of bound.collections.values()) {
    const { name, kind, record } = collection
    collection.isGenerated = !Object.hasOwn(given, name)
    if (!collection.isGenerated) continue
    const found = examples.get(name) ?? []
    if (kind === 'nested') define(data, name, [])
    else if (kind === 'singleton') define(data, name, found[0] ?? drawRecord(collection, 0, tools))
    else define(data, name, record ? fill(collection, found, count, tools) : found)
  }
  connect(bound, data, given)
  return data
}

function fill(
  collection: BoundCollection,
  examples: readonly JsonRecord[],
  count: number,
  tools: Tools,
): JsonRecord[] {
  const { idField } = collection
  const records: JsonRecord[] = []
  const random = createRandom(`${tools.seed} ${collection.name} ids`)
  for (const example of examples) {
    const isTaken = records.some((one) => scalarText(one[idField]) === scalarText(example[idField]))
    if (!isTaken)
      records.push(withId(example, example[idField], collection, records, random, tools))
  }
  for (let at = records.length; at < count; at++) {
    records.push(
      withId(drawRecord(collection, at, tools), undefined, collection, records, random, tools),
    )
  }
  return records
}

function withId(
  record: JsonRecord,
  id: Json | undefined,
  collection: BoundCollection,
  known: readonly JsonRecord[],
  random: () => number,
  tools: Tools,
): JsonRecord {
  const isGiven = (typeof id === 'string' && id !== '') || Number.isFinite(id)
  const value = isGiven ? id : drawId(collection, known, random, tools)
  return { ...record, [collection.idField]: value } as JsonRecord
}

/** Draws a record by its number, or by its id. */
export function drawRecord(
  { name, record }: BoundCollection,
  at: number | string,
  tools: Tools,
): JsonRecord {
  const seed = hash(`${tools.seed} ${name} ${at}`)
  const examples = at === 0 ? 'always' : 'unknown'
  const drawn = record ? tools.draw(record, { seed, name, examples }) : {}
  if (isRecord(drawn)) return drawn
  // A record that may be something else, such as null or a text.
  const flat = record && objectOf(record, tools.flatten)
  const made: JsonRecord = {}
  if (flat) complete(made, flat, `${tools.seed} ${name} ${at}`, tools)
  return made
}

/** The examples of the document by collection: those that are valid records. */
function collectExamples(
  { bindings, collections }: BoundDocument,
  engine: Engine,
): Map<string, JsonRecord[]> {
  const found = new Map<string, JsonRecord[]>()
  for (const { collection, view, action } of bindings) {
    const owner = collections.get(collection ?? '')
    if (!owner || !view.content || !(action === 'list' || action === 'read' || action === 'create'))
      continue
    for (const example of examplesOf(view.content.part)) {
      let value: Json | undefined = example
      for (const key of view.keys) value = isRecord(value) ? value[key] : undefined
      const records = view.kind === 'list' ? (Array.isArray(value) ? value : []) : [value]
      for (const record of records) {
        const schema = owner.record ?? view.record
        if (!isRecord(record) || !schema || !engine.accepts(schema, record)) continue
        found.set(owner.name, [...(found.get(owner.name) ?? []), clone(record)])
      }
    }
  }
  for (const owner of collections.values()) {
    const schema = owner.record && isRecord(owner.record.value) ? owner.record : undefined
    const own = schema && found.get(owner.name) === undefined ? ownExamples(schema) : []
    const valid = own.filter(
      (one): one is JsonRecord =>
        isRecord(one) && schema !== undefined && engine.accepts(schema, one),
    )
    if (valid.length > 0) found.set(owner.name, valid.map(clone))
  }
  return found
}

/** The examples of a media type: `example`, and the values of `examples`. */
export function examplesOf(media: Part): Json[] {
  const example = inside(media, 'example').value as Json | undefined
  const examples = inside(media, 'examples')
  const named = keysOf(examples).flatMap((key) => {
    const one = inside(examples, key)
    const value = inside(one, 'value').value as Json | undefined
    return value === undefined ? [] : [value]
  })
  const all = [...(example === undefined ? [] : [example]), ...named]
  return all.length > 0 ? all : ownExamples(inside(media, 'schema'))
}

function ownExamples(schema: Part): Json[] {
  const example = inside(schema, 'example').value as Json | undefined
  const listed = elementsOf(inside(schema, 'examples')).map(({ value }) => value as Json)
  return [...(example === undefined ? [] : [example]), ...listed]
}

/** Lets the keys of generated records refer to records: those of their paths, and those named after a collection. */
function connect(
  { collections, flatten }: BoundDocument,
  data: JsonRecord,
  given: Readonly<Record<string, unknown>>,
): void {
  const names = [...collections.keys()]
  const expansionsOf = createExpansions(collections, flatten)
  const idsOf = (name: string): Json[] => {
    const records: unknown = data[name] ?? given[name]
    const idField = collections.get(name)?.idField ?? 'id'
    return Array.isArray(records)
      ? records.flatMap((one) => (isRecord(one) ? (one[idField] ?? []) : []))
      : []
  }
  for (const { name, keys, record } of collections.values()) {
    const records = data[name]
    if (!Array.isArray(records)) continue
    const flat = record && objectOf(record, flatten)
    const links: [field: readonly string[], parent: string][] = []
    for (const [key, [part]] of flat?.properties ?? []) {
      const [expansion] = part ? expansionsOf(part) : []
      const parent = parentNamed(key, name, names) ?? expansion?.owner.name
      if (parent !== undefined && parent !== name) links.push([[key], parent])
    }
    for (const { field, collection } of keys) {
      if (collection !== undefined) links.push([field, collection])
    }
    for (const [field, parent] of links) {
      const ids = idsOf(parent)
      if (ids.length === 0) continue
      for (const [at, one] of records.entries()) {
        if (isRecord(one)) link(one, field, ids[at % ids.length] ?? null)
      }
    }
  }
}

/** Sets the key of a record to an id of the same type; a key that the schema has and the record lacks stays away. */
function link(record: JsonRecord, [key = '', inner]: readonly string[], id: Json): void {
  const held = record[key]
  if (inner !== undefined) {
    if (isRecord(held)) link(held, [inner], id)
    return
  }
  const isFree = held === undefined && key.startsWith('$')
  if (isFree || typeof held === typeof id) define(record, key, id)
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Draws the id of a new record in the form of the ids that are there, else of the example in the document: the next
 * integer, a UUID, or a text with the same prefix and length (`cus_NffrFeUfNV2Hib`).
 */
export function drawId(
  { idSchema, idField }: BoundCollection,
  known: readonly JsonRecord[],
  random: Random,
  tools: Tools,
): string | number {
  const taken = new Set(known.map((record) => scalarText(record[idField])))
  const flat = idSchema && tools.flatten(idSchema)
  const type = flat ? valueTypeOf(flat) : 'string'
  const numbers = known.map((record) => record[idField]).filter((id) => Number.isSafeInteger(id))
  if (
    type === 'integer' ||
    type === 'number' ||
    (!flat?.types && numbers.length === known.length && numbers.length > 0)
  ) {
    let next = Math.max(
      Number(flat?.limits['minimum'] ?? 1),
      ...numbers.map((id) => Number(id) + 1),
    )
    while (taken.has(String(next))) next++
    return next
  }
  const sample = known.findLast((record) => typeof record[idField] === 'string')?.[idField]
  const example = sample ?? exampleOf(flat?.limits) ?? exampleIn(idSchema)
  for (let tries = 0; tries < 50; tries++) {
    const id = isText(example) ? vary(example, random) : undefined
    const isValid =
      id !== undefined &&
      (typeof flat?.limits['pattern'] !== 'string' ||
        new RegExp(flat.limits['pattern'], 'u').test(id))
    const text = isValid
      ? id
      : idSchema
        ? scalarText(
            tools.draw(idSchema, { seed: random() * 2 ** 32, name: idField, examples: 'never' }),
          )
        : String(taken.size + 1 + tries)
    if (text !== '' && !taken.has(text)) return text
  }
  return randomUuid(random)
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function exampleOf(limits: JsonRecord | undefined): Json | undefined {
  if (!isRecord(limits)) return undefined
  const { example, examples } = limits
  return example ?? (Array.isArray(examples) ? examples[0] : undefined)
}

/** The id in a description: "such as `cus_NffrFeUfNV2Hib`", or one with its prefix: "starts with `cus_`". */
function exampleIn(schema: Part | undefined): string | undefined {
  const text = schema ? scalarText(inside(schema, 'description').value) : ''
  const [id] = /\b[A-Za-z]{1,12}_(?=[A-Za-z]*\d)[A-Za-z\d]{4,}\b/.exec(text) ?? []
  const [, prefix] = /["'`]([A-Za-z]{1,12}_)["'`]/.exec(text) ?? []
  return id ?? (prefix === undefined ? undefined : `${prefix}1a2B3c4D5e6F7g8H`)
}

/** Draws a text like an id; undefined for one that is a word or a name. */
function vary(example: string, random: Random): string | undefined {
  if (uuid.test(example)) return randomUuid(random)
  const [, prefix = '', tail = ''] = /^(.*?[_\-:.])?([A-Za-z\d]+)$/s.exec(example) ?? []
  if (!/\d/.test(tail)) return undefined
  const draw = (set: string): string => set.charAt(Math.floor(random() * set.length))
  return (
    prefix +
    tail.replaceAll(/./g, (char) =>
      /\d/.test(char)
        ? draw('0123456789')
        : /[a-f]/.test(char) && /^[\da-f]+$/.test(tail)
          ? draw('abcdef0123456789')
          : draw(/[a-z]/.test(char) ? 'abcdefghijklmnopqrstuvwxyz' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    )
  )
}

import type { OperationAction } from '../dialects/contract/openapi-source.ts'
import { wrong } from '../errors/check.ts'
import { suggest } from '../errors/nearest.ts'
import { isRecord, ownValue } from '../json/json.ts'
import { isAction, toBinding } from './binding.ts'
import type { Binding, BoundCollection } from './binding.ts'
import { createFlatten } from '../json/flat-schema.ts'
import { bareTemplate, type Operation, type SourceDocument } from './document.ts'
import { findHomes, type Home } from './homes.ts'
import { toView, type View } from './views.ts'

/**
 * Finds which operation does what: paths whose responses share a schema become a collection with state, a record at
 * a path without parameters a singleton, and every other operation answers an example. `x-fixtura` of an operation and
 * `bind` win.
 * @throws MockError for a correction that names no operation, or an unknown action
 */
export function bindDocument(
  source: SourceDocument,
  bind: Readonly<Record<string, string>> = {},
): BoundDocument {
  const flatten = createFlatten(source.follow)
  const corrections = readCorrections(source, bind)
  const views = source.operations.map((operation) => toView(operation, flatten))
  const free = views.filter(({ operation }) => !corrections.has(operation))
  const homes = findHomes(free, flatten)
  const collections = new Map<string, BoundCollection>()
  const bindings = new Map<Operation, Binding>()
  for (const home of homes) {
    const name = nameHome(home, collections)
    const { record, idField, idSchema, isIdHidden } = home
    collections.set(name, {
      name,
      kind: home.kind,
      record,
      idField,
      idSchema,
      isIdHidden,
      keys: [],
      isGenerated: false,
    })
    for (const { view, action, member } of home.members) {
      bindings.set(view.operation, toBinding(view, action, { name, member, home, homes }, flatten))
    }
  }
  for (const view of views) {
    const { operation } = view
    const correction = corrections.get(operation)
    if (correction) bindings.set(operation, correct(view, correction, collections, homes))
    else if (!bindings.has(operation)) bindings.set(operation, toExample(view))
  }
  addKeys(bindings, collections)
  const ordered = views.flatMap(({ operation }) => bindings.get(operation) ?? [])
  return { source, flatten, collections, bindings: ordered }

  function correct(
    view: View,
    { collection, action }: Correction,
    known: Map<string, BoundCollection>,
    all: readonly Home[],
  ): Binding {
    if (collection === undefined || action === 'example' || action === 'none') {
      return { ...toExample(view), action, isCorrected: true }
    }
    const { operation } = view
    const last = operation.segments.at(-1)
    const member = last?.names.length === 1 && action !== 'list' ? last.names[0] : undefined
    const home = all.find(({ members }) =>
      members.some((one) => bindings.get(one.view.operation)?.collection === collection),
    )
    if (!known.has(collection)) {
      known.set(collection, {
        name: collection,
        kind:
          action === 'list' || action === 'create' || member !== undefined
            ? 'collection'
            : 'singleton',
        record: view.record,
        idField: 'id',
        idSchema: undefined,
        isIdHidden: false,
        keys: [],
        isGenerated: false,
      })
    }
    const place = { name: collection, member, home, homes: all }
    return { ...toBinding(view, action, place, flatten), isCorrected: true }
  }
}

/** A document, its collections, and what each operation was taken for. */
export interface BoundDocument {
  source: SourceDocument
  flatten: ReturnType<typeof createFlatten>
  collections: ReadonlyMap<string, BoundCollection>
  bindings: readonly Binding[]
}

interface Correction {
  collection: string | undefined
  action: OperationAction
}

function readCorrections(
  source: SourceDocument,
  bind: Readonly<Record<string, string>>,
): Map<Operation, Correction> {
  const corrections = new Map<Operation, Correction>()
  for (const operation of source.operations) {
    const given: unknown = isRecord(operation.part.value) && operation.part.value['x-fixtura']
    if (!isRecord(given)) continue
    const { collection, action } = given
    const text = [collection, action].filter((one) => typeof one === 'string').join('.')
    corrections.set(operation, parseCorrection(text, `"x-fixtura" at "${operation.part.uri}"`))
  }
  const known = source.operations.map(({ method, path }) => `${method} ${path}`)
  for (const key of Object.keys(bind)) {
    const [method = '', path = ''] = key.trim().split(/\s+/)
    const ofMethod = source.operations.filter((one) => one.method === method.toUpperCase())
    const found =
      ofMethod.find((one) => one.path === path) ??
      ofMethod.find(({ template }) => template === toTemplate(path))
    if (!found) {
      throw wrong(
        'the option "bind"',
        `the document has no operation "${key}". ${suggest(key, known)}`,
      )
    }
    corrections.set(
      found,
      parseCorrection(ownValue(bind, key) ?? '', `the option "bind", "${key}"`),
    )
  }
  return corrections
}

/** Writes a path such as `/posts/:id` or `/posts/{id}/` as the template of an operation. */
function toTemplate(path: string): string {
  return bareTemplate(path.replaceAll(/(?<=\/):\w+/g, '{}')).replace(/(?<=.)\/$/, '')
}

/** @throws MockError for a text that is no `customers.list`, `example` or `none` */
function parseCorrection(text: string, subject: string): Correction {
  const [, collection, action = ''] = /^(?:(.+)\.)?([a-z]+)$/.exec(text) ?? []
  if (isAction(action)) {
    const isAlone = action === 'example' || action === 'none'
    if (isAlone || collection !== undefined) return { collection, action }
  }
  throw wrong(
    subject,
    `"${text}" is no collection with an action. Please write one such as "customers.list"; actions: list, read, create, replace, update, remove, and without a collection example, none.`,
  )
}

function toExample(view: View): Binding {
  const none = { collection: undefined, member: undefined, parents: [], showsRecord: false }
  return { view, operation: view.operation, action: 'example', ...none, isCorrected: false }
}

/** Gives a home a name that no other home has: that of its path, with those in front of it where needed. */
function nameHome(home: Home, taken: ReadonlyMap<string, unknown>): string {
  const words = home.names
  for (let count = 1; count <= words.length; count++) {
    const name = words.slice(-count).join('-')
    // Options by collection have a `default`.
    if (!['', 'default'].includes(name) && !taken.has(name)) return name
  }
  const name = words.at(-1) ?? 'records'
  for (let at = 2; ; at++) if (!taken.has(`${name}-${at}`)) return `${name}-${at}`
}

/** Collects the fields by which the paths of a collection select records, for values that are generated. */
function addKeys(
  bindings: ReadonlyMap<Operation, Binding>,
  collections: ReadonlyMap<string, BoundCollection>,
): void {
  const readers = new Map<string, Binding>()
  for (const one of bindings.values()) {
    if (one.action === 'read' && one.member !== undefined) {
      readers.set(one.operation.template, one)
    }
  }
  for (const { collection, parents, view } of bindings.values()) {
    const owner = collections.get(collection ?? '')
    if (!owner) continue
    owner.record ??= view.record
    for (const key of parents) {
      const parent = readers.get(key.template)?.collection
      key.collection = parent === collection ? undefined : parent
      const isKnown = owner.keys.some((one) => one.field.join('.') === key.field.join('.'))
      if (!isKnown) owner.keys.push(key)
    }
  }
}

import { type Flatten, type FlatSchema, objectOf } from '../json/flat-schema.ts'
import type { OperationAction } from '../dialects/contract/openapi-source.ts'
import type { Part } from '../json/documents.ts'
import { isPluralOf, singularOf } from '../text/plurals.ts'
import { findIdField } from './record-fields.ts'
import type { Operation } from './document.ts'
import { nameOf, type View } from './views.ts'

/** A collection or singleton with the operations on it. */
export interface Home {
  /** 'nested': a value of each record of a collection, such as `/users/{id}/settings`. */
  kind: 'collection' | 'singleton' | 'nested'
  /** The path of its records without the id: `/v1/customers`. */
  path: string
  /** The segments of the path that are no parameters, for its name. */
  names: readonly string[]
  record: Part | undefined
  idField: string
  idSchema: Part | undefined
  isIdHidden: boolean
  members: HomeMember[]
}

interface HomeMember {
  view: View
  action: OperationAction
  /** The path parameter with the id. */
  member: string | undefined
}

/** Groups operations by the collection that they share. */
export function findHomes(views: readonly View[], flatten: Flatten): Home[] {
  const homes = new Map<string, Home>()
  for (const [path, group] of groupByPath(views)) {
    const home = toHome(path, group, flatten)
    if (home) homes.set(path, home)
  }
  mergeHomes(homes, flatten)
  const bound = new Set(
    [...homes.values()].flatMap(({ members }) => members.map(({ view }) => view)),
  )
  const all = [...homes.values()]
  const written = new Set(
    views
      .filter(({ operation }) => ['PUT', 'PATCH'].includes(operation.method))
      .map((view) => placeOf(view, flatten)),
  )
  for (const view of views) if (!bound.has(view)) attach(view, written, all, flatten)
  const attached = new Set(all.flatMap(({ members }) => members.map(({ view }) => view)))
  const rest = views.filter((view) => !attached.has(view))
  return [...all, ...findSingletons(rest, flatten)]
}

/** The views at a path, and those at the path with one parameter more. */
interface Group {
  own: View[]
  members: View[]
}

function groupByPath(views: readonly View[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  // `/flags/{project}` has a list, and `/flags/{project}/{flag}` its records.
  const lists = new Set(
    views
      .filter(({ kind, operation }) => kind === 'list' && operation.method === 'GET')
      .map(({ operation }) => operation.template),
  )
  const groupAt = (path: string): Group => {
    const group = groups.get(path) ?? { own: [], members: [] }
    groups.set(path, group)
    return group
  }
  for (const view of views) {
    const path = view.operation.template
    const isMember = path.endsWith('/{}') && !lists.has(path)
    if (isMember && view.operation.segments.length > 1) {
      groupAt(path.slice(0, path.lastIndexOf('/'))).members.push(view)
    } else groupAt(path).own.push(view)
  }
  return groups
}

function methodOf(views: readonly View[], ...methods: string[]): View | undefined {
  return views.find(({ operation }) => methods.includes(operation.method))
}

function toHome(path: string, { own, members }: Group, flatten: Flatten): Home | undefined {
  const listed = own.find(({ operation, kind }) => operation.method === 'GET' && kind === 'list')
  const read = members.find(
    ({ operation, kind }) => operation.method === 'GET' && kind === 'record',
  )
  const created = methodOf(own, 'POST')
  const changed = members.find(
    ({ operation, kind }) => operation.method !== 'GET' && kind === 'record',
  )
  const hasWrite = methodOf(members, 'PUT', 'PATCH', 'DELETE') !== undefined
  const isMadeHere = created?.kind === 'record' && (hasWrite || isCreateOnly(created, flatten))
  if (!listed && !read && !isMadeHere) return undefined
  if (listed && !read && !hasWrite && !isCollection(listed, created, flatten)) return undefined
  const made = created?.kind === 'record' ? created : undefined
  const isMade = !listed || sharesRecord(made?.record, listed.record, flatten)
  const model = read ?? changed ?? (isMade ? made : undefined) ?? listed
  const record = model?.record
  const flat = record && objectOf(record, flatten)
  if (!model || !flat) return undefined
  const isShared = (view: View | undefined): boolean => sharesRecord(view?.record, record, flatten)
  // A list and a record at the same path that have nothing in common are different things.
  const isListed = listed && (isShared(listed) || !read)
  const [sample] = members
  const member = sample?.operation.segments.at(-1)?.names[0]
  const parameter = sample?.operation.parameters.find(
    (one) => one.in === 'path' && one.name === member,
  )
  const idField = findIdField(flat, member ?? 'id', parameter?.schema, flatten)
  const field = idField === undefined ? undefined : flat.properties.get(idField)?.[0]
  // A request with an id that the schema of the parameter refuses would find nothing.
  const idSchema =
    [field, parameter?.schema].find((one) => one && hasForm(flatten(one))) ??
    field ??
    parameter?.schema
  const home: Home = {
    kind: 'collection',
    path,
    names: namesOf(model.operation),
    record,
    idField: idField ?? '$id',
    idSchema,
    isIdHidden: idField === undefined,
    members: [],
  }
  if (isListed) home.members.push({ view: listed, action: 'list', member: undefined })
  const isCreate =
    created?.kind === 'none' || isShared(created) || sharesRecord(created?.sent, record, flatten)
  if (created && created.kind !== 'list' && isCreate) {
    home.members.push({ view: created, action: 'create', member: undefined })
  }
  // The id is in the body: `PUT /pet`.
  const replaced = own.filter(({ operation }) => ['PUT', 'PATCH'].includes(operation.method))
  for (const view of replaced) {
    const hasId = view.sent && objectOf(view.sent, flatten)?.properties.has(home.idField) === true
    if (!hasId || !sharesRecord(view.sent, record, flatten)) continue
    const action = view.operation.method === 'PUT' ? 'replace' : 'update'
    home.members.push({ view, action, member: undefined })
  }
  for (const view of members) {
    const action = memberActions[view.operation.method]
    const isOwn = action === 'remove' || view.kind === 'none' || isShared(view)
    if (!action || !isOwn || (action === 'read' && view.kind !== 'record')) continue
    home.members.push({ view, action, member: view.operation.segments.at(-1)?.names[0] })
  }
  return home.members.length > 0 ? home : undefined
}

/** The actions by method, on a member of a collection and on a singleton. */
const memberActions: Readonly<Record<string, OperationAction>> = {
  GET: 'read',
  PUT: 'replace',
  PATCH: 'update',
  POST: 'update',
  DELETE: 'remove',
}

/** Whether a list without members of its own is a collection: named so, or with records that have an id or are created. */
function isCollection(listed: View, created: View | undefined, flatten: Flatten): boolean {
  const flat = listed.record && objectOf(listed.record, flatten)
  if (!flat || nameOf(listed.operation) === '') return false
  return created !== undefined || isPlural(listed) || hasOwnId(flat, flatten)
}

/** Whether new records that no operation reads are records: with an id, and with fields that are sent. */
function isCreateOnly(created: View, flatten: Flatten): boolean {
  const flat = created.record && objectOf(created.record, flatten)
  const isSent = sharesRecord(created.sent, created.record, flatten)
  return flat !== undefined && isSent && isPlural(created) && hasOwnId(flat, flatten)
}

function hasOwnId(flat: FlatSchema, flatten: Flatten): boolean {
  return findIdField(flat, 'id', undefined, flatten) !== undefined
}

function isPlural({ operation }: View): boolean {
  const last = operation.segments.at(-1)
  return last?.names.length === 0 && singularOf(last.text) !== last.text
}

function hasForm({ limits }: FlatSchema): boolean {
  return ['format', 'pattern', 'enum'].some((keyword) => limits[keyword] !== undefined)
}

function namesOf({ segments }: Operation): string[] {
  const names = segments.filter((one) => one.names.length === 0).map(({ text }) => text)
  return names.map((name) => name.replaceAll(/[^\w.-]+/g, '-'))
}

/** Whether two schemas are of the same records: the same named schema, or most members in common. */
export function sharesRecord(
  left: Part | undefined,
  right: Part | undefined,
  flatten: Flatten,
): boolean {
  const [a, b] = [left && objectOf(left, flatten), right && objectOf(right, flatten)]
  if (!a || !b) return false
  if (a === b || (a.entity !== undefined && a.entity === b.entity)) return true
  const [small, large] = a.properties.size < b.properties.size ? [a, b] : [b, a]
  const common = [...small.properties.keys()].filter((key) => large.properties.has(key))
  return common.length > 0 && common.length >= small.properties.size / 2
}

/** Joins the homes of the same records at different paths: `/posts` and `/users/{id}/posts`. */
function mergeHomes(homes: Map<string, Home>, flatten: Flatten): void {
  const depth = ({ path }: Home): number => path.split('{}').length
  const isReadable = ({ members }: Home): boolean => members.some(({ action }) => action === 'read')
  const ordered = [...homes.values()].toSorted(
    (a, b) => Number(isReadable(b)) - Number(isReadable(a)) || depth(a) - depth(b),
  )
  const kept: Home[] = []
  for (const home of ordered) {
    const isListOnly = home.members.every(({ member }) => member === undefined)
    const target = kept.find((one) => {
      const isNamed = isSameName(one.names.at(-1) ?? '', home.names.at(-1) ?? '')
      // `/disputes` and `/issuing/disputes` have records of their own.
      const isOther = isReadable(one) && isReadable(home) && !sharesEntity(one, home, flatten)
      if (isNamed && !(isOther && entityOf(one, flatten) && entityOf(home, flatten)))
        return sharesRecord(one.record, home.record, flatten) && isSameId(one, home)
      return isListOnly && isReadable(one) && sharesEntity(one, home, flatten)
    })
    if (!target) {
      kept.push(home)
      continue
    }
    target.members.push(...home.members)
    homes.delete(home.path)
  }
}

function isSameId(left: Home, right: Home): boolean {
  return left.idField === right.idField || right.members.every(({ member }) => member === undefined)
}

function isSameName(left: string, right: string): boolean {
  return left === right || isPluralOf(left, right) || isPluralOf(right, left)
}

function entityOf({ record }: Pick<Home, 'record'>, flatten: Flatten): string | undefined {
  return record && objectOf(record, flatten)?.entity
}

function placeOf(view: View, flatten: Flatten): string {
  return `${view.operation.template} ${entityOf(view, flatten)}`
}

function sharesEntity(left: Home, right: Pick<Home, 'record'>, flatten: Flatten): boolean {
  const entity = entityOf(left, flatten)
  return entity !== undefined && entity === entityOf(right, flatten)
}

/** Adds a view of the same named records at another path: `GET /pet/findByStatus`, `POST /orders/{id}/cancel`. */
function attach(
  view: View,
  written: ReadonlySet<string>,
  homes: readonly Home[],
  flatten: Flatten,
): void {
  const { operation, record, kind } = view
  if (!record) return
  const isSame = (home: Home): boolean => sharesEntity(home, view, flatten)
  if (kind === 'list' && operation.method === 'GET') {
    const isBelow = (one: Home): boolean =>
      operation.template.startsWith(`${one.path}/`) && sharesRecord(one.record, record, flatten)
    const home = homes.find((one) => isSame(one)) ?? homes.find(isBelow)
    home?.members.push({ view, action: 'list', member: undefined })
    return
  }
  if (kind !== 'record' || operation.method === 'DELETE') return
  // `POST /tests/cards/{card}/ship` changes the card at `/cards/{card}`.
  const { segments } = operation
  for (const home of homes.filter(isSame)) {
    const name = home.names.at(-1)
    const at = segments.findIndex(
      ({ names }, index) => names.length === 1 && segments[index - 1]?.text === name,
    )
    const [member] = segments[at]?.names ?? []
    const isVerb = segments.slice(at + 1).every(({ names }) => names.length === 0)
    const isRead = operation.method === 'GET'
    // A record below a record is the same only if it can be replaced there: `GET` and `PUT /jobs/{id}/status`.
    if (member === undefined || !isVerb || at === segments.length - 1) continue
    if (isRead && !written.has(placeOf(view, flatten))) continue
    home.members.push({ view, action: isRead ? 'read' : 'update', member })
    return
  }
}

function findSingletons(views: readonly View[], flatten: Flatten): Home[] {
  const groups = new Map<string, View[]>()
  for (const view of views) {
    const path = view.operation.template
    groups.set(path, [...(groups.get(path) ?? []), view])
  }
  return [...groups].flatMap(([path, group]): Home[] => {
    const read = group.find(
      ({ operation, kind }) => operation.method === 'GET' && kind === 'record',
    )
    const names = read ? namesOf(read.operation) : []
    if (!read || names.length === 0 || path.endsWith('/{}')) return []
    const isNested = path.includes('{}')
    const members = group.flatMap((view): HomeMember[] => {
      const action = memberActions[view.operation.method]
      const isOwn =
        view === read || view.kind === 'none' || sharesRecord(view.record, read.record, flatten)
      return action && isOwn ? [{ view, action, member: undefined }] : []
    })
    const shared = { path, names, record: read.record, members, idSchema: undefined }
    if (!isNested) return [{ ...shared, kind: 'singleton', idField: 'id', isIdHidden: false }]
    const home = { ...shared, kind: 'nested', idField: '$id', isIdHidden: true } as const
    return members.length > 1 ? [home] : []
  })
}

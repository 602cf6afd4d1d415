import { type Flatten, objectOf } from '../json/flat-schema.ts'
import type { OperationAction } from '../dialects/contract/openapi-source.ts'
import type { Part } from '../json/documents.ts'
import { singularOf } from '../text/plurals.ts'
import type { Operation } from './document.ts'
import { type Home, sharesRecord } from './homes.ts'
import { findKeyField, isId } from './record-fields.ts'
import type { View } from './views.ts'

const actions = ['list', 'read', 'create', 'replace', 'update', 'remove', 'example', 'none']

/** Whether a text names an action. */
export function isAction(text: string): text is OperationAction {
  return actions.includes(text)
}

/** An operation, and what it was taken for. */
export interface Binding {
  view: View
  operation: Operation
  action: OperationAction
  /** The name of the collection or singleton; undefined for an example. */
  collection: string | undefined
  /** The name of the path parameter that has the id; undefined for a list and a singleton. */
  member: string | undefined
  /** The other path parameters, and the fields of records that they select by. */
  parents: ParentKey[]
  /** Whether the response shows the record. */
  showsRecord: boolean
  /** Whether the document or the configuration says so. */
  isCorrected: boolean
}

/** A path parameter in front of a collection, and the field of records with its value. */
export interface ParentKey {
  parameter: string
  /** The template of the parent: `/users/{}`. */
  template: string
  /** The keys that lead to the field. */
  field: readonly string[]
  /** Whether the schema of records has no such field, so that responses leave it out. */
  isHidden: boolean
  /** The collection of the parents; undefined if the document has none. */
  collection: string | undefined
}

/** A collection or a singleton that operations share. */
export interface BoundCollection {
  name: string
  kind: Home['kind']
  /** The schema of a record, the fullest that a response has. */
  record: Part | undefined
  idField: string
  idSchema: Part | undefined
  /** Whether the schema of records has no id, so that responses leave it out. */
  isIdHidden: boolean
  keys: ParentKey[]
  /** Whether its data is generated, and no fixture. */
  isGenerated: boolean
}

interface Place {
  name: string
  member: string | undefined
  home: Home | undefined
  homes: readonly Home[]
}

/** Binds an operation to an action on a collection. */
export function toBinding(
  view: View,
  action: OperationAction,
  place: Place,
  flatten: Flatten,
): Binding {
  const { operation } = view
  const { name, member, home } = place
  const record = home?.record ?? view.record
  const flat = record && objectOf(record, flatten)
  const parents: ParentKey[] = []
  for (const [at, { names }] of operation.segments.entries()) {
    const [parameter] = names
    if (parameter === undefined || names.length > 1 || parameter === member) continue
    const before = operation.segments[at - 1]
    const parent = before?.names.length === 0 ? singularOf(before.text) : ''
    const field = flat && findKeyField(flat, parameter, parent, flatten)
    const isHidden = field === undefined
    parents.push({
      parameter,
      template: operation.template
        .split('/')
        .slice(0, at + 2)
        .join('/'),
      field: field ?? [`$${isId(parameter) && parent !== '' ? `${parent}Id` : parameter}`],
      isHidden,
      collection: undefined,
    })
  }
  const showsRecord = view.kind === 'record' && sharesRecord(view.record, record, flatten)
  return {
    view,
    operation,
    action,
    collection: name,
    member,
    parents,
    showsRecord,
    isCorrected: false,
  }
}

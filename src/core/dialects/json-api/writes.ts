import { isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type {
  Answer,
  Call,
  Changes,
  Data,
  LinkedResource,
  RecordAction,
  Serve,
} from '../contract/dialect.ts'
import { checkInclude, createWriter, findRelation, mediaType, toDocument } from './document.ts'
import { checkContentType } from './media-type.ts'
import { parseFor } from './parameters.ts'
import { type Action, createPlan, malformed, type Place, type Plan, refused } from './plan.ts'

/** Handles POST of a collection: creates a record from a resource object (JSON:API 1.1, "Creating Resources"). */
export const create: Serve = (call, data) => {
  const { name, parentKeys } = targetOf(call)
  const resource = readPrimary(call, data, name)
  const plan = createPlan(data)
  return toChanges(plan, plan.create(name, resource, { pointer: '/data' }, parentKeys), 'created')
}

/** Handles PATCH of a member or a singleton. */
export const update: Serve = (call, data) => {
  const at = targetOf(call)
  const resource = readPrimary(call, data, at.name)
  const plan = createPlan(data)
  plan.update(at, resource, { pointer: '/data' })
  return toChanges(plan, at, 'patched')
}

function toChanges(plan: Plan, at: Place, action: RecordAction): Changes {
  const index = plan.indexOf(at)
  const answer: Changes['answer'] = (stored) => {
    return { type: 'record', action, record: stored[index] ?? {} }
  }
  return { changes: plan.changes(), answer }
}

/** Handles the requests at the URL of a relationship: the linkage, and its changes. */
export const relationship: Serve = (call, data) => {
  const { name, id = '', params = {} } = targetOf(call)
  const own = params['relation'] ?? ''
  const plan = createPlan(data)
  if (call.method === 'GET' || call.method === 'HEAD') {
    parseFor(call.params, 'record')
    const record = data.shown(name, data.find(name, id) ?? {})
    return answerLinkage(call, data, name, record, plan.relationOf(name, own))
  }
  const linkage = readPrimary(call, data, name)
  const relation = plan.relationOf(name, own)
  const action = actions[call.method] ?? 'replace'
  if (!relation.isMany && action !== 'replace') {
    const reason = `Failed to ${call.method} the relationship "${own}": it is to-one.`
    throw refused('RELATION_TO_ONE', `${reason} Please use PATCH.`, '/data')
  }
  plan.relate({ name, id }, relation, action, linkage, { pointer: '/data' })
  return { changes: plan.changes(), answer: () => ({ status: 204, headers: [], value: undefined }) }
}

const actions: Readonly<Record<string, Action>> = { POST: 'add', DELETE: 'remove' }

function answerLinkage(
  call: Call,
  data: Data,
  name: string,
  record: JsonRecord,
  relation: LinkedResource,
): Answer {
  const writer = createWriter(data, call.params)
  for (const { name: first } of writer.include ?? []) {
    if (first !== relation.name) findRelation(data, '', first)
  }
  return toAnswer({
    links: writer.linksOf(name, record, relation.name),
    data: writer.linkage(name, record, relation),
    ...writer.toIncluded(name, [record], []),
  })
}

/** Handles GET of the record of a to-one relationship, which is null if there is none. */
export const related: Serve = (call, data) => {
  const { name, id = '', params = {} } = targetOf(call)
  parseFor(call.params, 'record')
  const { name: own, collection } = createPlan(data).relationOf(name, params['relation'] ?? '')
  const writer = createWriter(data, call.params)
  const records = data.related(name, data.shown(name, data.find(name, id) ?? {}), own)
  const resources = records.map((record) => writer.toResource(collection, record))
  checkInclude(data, collection, call.params)
  return toAnswer({
    links: { self: data.url },
    data: resources[0] ?? null,
    ...writer.toIncluded(collection, records, resources),
  })
}

/** Reads the primary data of a body, and checks the parameters before anything is written. @throws MockError 400, 415 */
function readPrimary(call: Call, data: Data, resource: string): Json {
  const document = readDocument(call)
  parseFor(call.params, 'record')
  checkInclude(data, resource, call.params)
  const primary = ownValue(document, 'data')
  if (primary !== undefined) return primary
  throw malformed('', 'it has no member "data"')
}

/** Reads the body as a document. @throws MockError 400, or 415 for another media type */
export function readDocument(call: Call): JsonRecord {
  checkContentType(call)
  const document = call.text === '' ? null : call.json()
  if (isRecord(document)) return document
  throw malformed('', 'it has to be an object')
}

/** Creates the response with a document. */
export function toAnswer(
  members: Readonly<Record<string, unknown>>,
  type: string = mediaType,
): Answer {
  return { status: 200, headers: [], type, value: toDocument(members) }
}

function targetOf({ target }: Call): NonNullable<Call['target']> {
  return target ?? { name: '' }
}

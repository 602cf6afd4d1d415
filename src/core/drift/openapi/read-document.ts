import { findRecordKey, isListKey } from '../../learn/recognize/envelope.ts'
import { baseName } from '../../text/foreign-keys.ts'
import { isPluralOf } from '../../text/plurals.ts'
import { type Documents, follow, inside, type Part } from '../../json/documents.ts'
import type { Facts, FieldFacts } from '../facts/facts.ts'
import { fromSchema } from '../facts/from-schema.ts'
import { findPrefix } from '../match-paths.ts'
import type { DriftTarget } from '../observe/explore.ts'
import { describePlace, describeRecord, toStatus } from '../observe/to-reads.ts'
import type { Read, Side, SideResource } from '../side.ts'
import { isRecord } from '../../json/json.ts'
import { isJsonType } from '../../source/document.ts'
import { decode } from '../../url/pattern.ts'
import { splitUri, withoutSlash } from '../../url/uri.ts'

/** Reads the resources at the same paths, below any prefix; undefined for no OpenAPI document, or nothing in common. */
export function fromOpenApi(
  documents: Documents,
  uri: string,
  targets: readonly DriftTarget[],
  base: string,
): Side | undefined {
  const paths = pathsOf(documents, uri)
  if (!paths) return undefined
  const names = targets.map(({ name }) => name)
  const prefix = findPrefix(
    paths.map(({ path }) => path),
    names,
    base,
  )
  const resources = targets.map((target): [string, SideResource] => {
    const own = `${prefix}/${target.name}`
    const list = paths.find(({ path }) => path === own)
    const member = paths.find(
      ({ path }) => path.startsWith(`${own}/`) && /^\{[^{}/]+\}$/.test(path.slice(own.length + 1)),
    )
    const resource = toResource(documents, target, list, member, uri)
    return [target.name, { ...resource, facts: withoutRelated(resource.facts, names) }]
  })
  const isCommon = resources.some(([, { facts }]) => facts !== undefined)
  return isCommon ? { resources: new Map(resources), failures: new Map() } : undefined
}

function toResource(
  documents: Documents,
  { name, kind }: DriftTarget,
  list: PathOperations | undefined,
  member: PathOperations | undefined,
  uri: string,
): SideResource {
  const path = `GET /${name}`
  const isCollection = kind === 'collection'
  const [listGet, memberGet] = [list?.operation('get'), member?.operation('get')]
  const read = (part: Part | undefined): Facts | undefined =>
    part && fromSchema(part, { documents })
  const schemaAt = (operation: Part | undefined): Facts | undefined =>
    operation && read(responseSchema(documents, operation))
  const body = schemaAt(listGet)
  const rows = isCollection && body ? rowsOf(body, baseName(name)) : undefined
  const own = isCollection ? recordOf(schemaAt(memberGet), name) : recordOf(body, name)
  const facts = own?.facts ?? rows?.facts ?? fromBodies(documents, name, [list, member])
  const isKnown = listGet !== undefined || memberGet !== undefined
  const missing: Read = {
    kind: 'status',
    path,
    value: 'not in the document',
    seen: `${uri}#/paths`,
  }
  return {
    name,
    facts,
    sightings: [],
    reads: [
      ...(isKnown || facts ? [] : [missing]),
      ...(listGet ? toStatuses(listGet, path) : []),
      ...(memberGet && isCollection ? toStatuses(memberGet, `${path}/:id`) : []),
      ...(rows?.place !== undefined && listGet
        ? [{ kind: 'list', path, value: rows.place, seen: listGet.uri } as const]
        : []),
    ],
  }
}

function fromBodies(
  documents: Documents,
  name: string,
  paths: readonly (PathOperations | undefined)[],
): Facts | undefined {
  const operations = paths.flatMap((path) =>
    ['post', 'put', 'patch'].flatMap((method) => path?.operation(method) ?? []),
  )
  for (const operation of operations) {
    const schema = responseSchema(documents, operation)
    const answered = schema && recordOf(fromSchema(schema, { documents }), name)?.facts
    if (answered?.fields) return answered
  }
  for (const operation of operations) {
    const schema = bodySchema(documents, operation)
    const sent = schema && fromSchema(schema, { documents, isLimit: true })
    if (sent?.fields) return { ...sent, isOpen: true }
  }
  return undefined
}

interface Placed {
  facts: Facts | undefined
  /** The place in words; undefined if the schema allows several. */
  place: string | undefined
}

function rowsOf(body: Facts, name: string): Placed | undefined {
  if (body.kinds.has('array')) {
    return { facts: body.items?.(), place: body.kinds.size === 1 ? describePlace([]) : undefined }
  }
  const names = [...(body.fields?.keys() ?? [])].filter((key) => isListKey(key, name))
  const byName = names.toSorted((a, b) => Number(b === name) - Number(a === name))
  for (const keys of [...byName.map((key) => [key]), ['_embedded', name]]) {
    let at: Facts | undefined = body
    for (const key of keys) at = at?.fields?.get(key)?.facts()
    if (at?.kinds.has('array')) return { facts: at.items?.(), place: describePlace(keys) }
  }
  return undefined
}

function recordOf(body: Facts | undefined, name: string): Placed | undefined {
  if (!body) return undefined
  const isObject = (key: string): boolean =>
    body.fields?.get(key)?.facts()?.kinds.has('object') === true
  const key = findRecordKey([...(body.fields?.keys() ?? [])], isObject, baseName(name))
  const facts = key === undefined ? body : body.fields?.get(key)?.facts()
  return { facts, place: describeRecord(key) }
}

function toStatuses(operation: Part, path: string): Read[] {
  const statuses = statusesOf(operation)
  const seen = `${operation.uri}/responses`
  const good = statuses.filter((status) => /^2\d\d$/.test(status))
  const isUsual = statuses.some((status) => /^(?:200|2XX|default)$/i.test(status))
  const status = isUsual ? '200' : good[0]
  // A document without any error status may leave out errors altogether.
  const unknown = ['404', '410'].find((one) => statuses.includes(one))
  return [
    ...(status === undefined ? [] : [toStatus({ status }, { path, seen })]),
    ...(unknown === undefined || !path.endsWith('/:id')
      ? []
      : [toStatus({ role: 'unknown', status: unknown }, { path, seen })]),
  ]
}

/** Leaves open whether related records are present: only a request with `_embed` gets them. */
function withoutRelated(facts: Facts | undefined, resources: readonly string[]): Facts | undefined {
  const { fields } = facts ?? {}
  if (!facts || !fields) return facts
  const isRelated = (name: string, { absent, facts }: FieldFacts): boolean => {
    const kinds = facts()?.kinds
    if (absent || !(kinds?.has('object') || kinds?.has('array'))) return false
    const isKey = fields.has(`${name}Id`) || fields.has(`${name}_id`)
    return isKey || resources.map(baseName).some((one) => one === name || isPluralOf(one, name))
  }
  const open = [...fields].map(([name, field]): [string, FieldFacts] => [
    name,
    isRelated(name, field) ? { ...field, present: undefined } : field,
  ])
  return { ...facts, fields: new Map(open) }
}

/** Returns the operations of an OpenAPI document (2.0 to 3.1); undefined for another document. */
function pathsOf(documents: Documents, uri: string): PathOperations[] | undefined {
  const root: Part = { value: documents.get(uri), uri }
  const { value } = root
  const paths = inside(root, 'paths')
  if (!isRecord(value) || !isRecord(paths.value)) return undefined
  if (value['openapi'] === undefined && value['swagger'] === undefined) return undefined
  const base = basePathOf(root)
  return Object.keys(paths.value).map((path) => {
    const item = follow(documents, inside(paths, path))
    return {
      path: base + decode(withoutSlash(path)),
      operation(method) {
        const found = item && inside(item, method)
        return found && isRecord(found.value) ? found : undefined
      },
    }
  })
}

/** A path of an OpenAPI document, and its operations. */
interface PathOperations {
  /** With the path of the server, and without a slash at the end: `/api/posts/{id}`. */
  path: string
  operation(method: string): Part | undefined
}

function basePathOf(root: Part): string {
  const url = inside(inside(inside(root, 'servers'), 0), 'url').value
  const { value: base = '' } = inside(root, 'basePath')
  return withoutSlash(typeof url === 'string' ? splitUri(url).path : String(base))
}

function statusesOf(operation: Part): string[] {
  const { value } = inside(operation, 'responses')
  return isRecord(value) ? Object.keys(value) : []
}

/** Returns the schema of a successful response; undefined for a response without JSON. */
function responseSchema(documents: Documents, operation: Part): Part | undefined {
  const responses = inside(operation, 'responses')
  const status = ['200', '201', '2XX', '2xx', 'default'].find(
    (one) => inside(responses, one).value !== undefined,
  )
  const response = status === undefined ? undefined : follow(documents, inside(responses, status))
  return response && contentSchema(response)
}

function bodySchema(documents: Documents, operation: Part): Part | undefined {
  const body = follow(documents, inside(operation, 'requestBody'))
  const content = body && contentSchema(body)
  if (content) return content
  // OpenAPI 2.0 has the body among the parameters.
  const parameters = inside(operation, 'parameters')
  const list = Array.isArray(parameters.value) ? parameters.value : []
  const at = list.findIndex((one) => isRecord(one) && one['in'] === 'body')
  return at < 0 ? undefined : schemaOf(inside(parameters, at))
}

function contentSchema(part: Part): Part | undefined {
  const content = inside(part, 'content')
  const types = isRecord(content.value) ? Object.keys(content.value) : []
  const type = types.find(isJsonType) ?? types.find((one) => one === '*/*')
  return schemaOf(type === undefined ? part : inside(content, type))
}

function schemaOf(part: Part): Part | undefined {
  const schema = inside(part, 'schema')
  return schema.value === undefined ? undefined : schema
}

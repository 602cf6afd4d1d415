import type { DescribedOperation, DescribedResource } from '../dialects/contract/description.ts'
import type { OperationFacts, VersionFacts } from '../http/contract/description.ts'
import { resourcePath, toWirePath } from '../http/routing/target.ts'
import { parentParameter } from '../http/routing/paths.ts'
import { methodsOf } from '../http/pipeline/actions.ts'
import { isRecord, ownValue } from '../json/json.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type { Parameter } from '../types/openapi.ts'
import { withArticle } from '../text/article.ts'
import { createDraft, type Draft } from './draft.ts'
import { addHttp } from './draft-http.ts'
import { toName } from './names.ts'
import { nestedOf } from './schemas/relations.ts'
import { typesOf, withRequired } from './schemas/properties.ts'
import { componentOf, refTo } from './schemas/references.ts'
import type { DescribedMock, VersionResources } from './described-mock.ts'

/** Drafts the operations on resources, and adds the bodies of nested paths to the components. */
export function draftResources(
  described: DescribedMock,
  versioned: VersionResources,
  isPlain: boolean,
  version?: VersionFacts,
): PlacedDraft[] {
  const prefix = version?.prefix ?? ''
  const wire = { ...described.mock.service, base: '' }
  const drafts: PlacedDraft[] = []
  const resources = [...versioned.resources.values()]
  for (const target of resources.flatMap((one) => pathsOf(described, one, versioned))) {
    for (const method of target.methods) {
      const draft = draftOperation(described, target, method, isPlain, version)
      if (!draft) continue
      const facts: OperationFacts = {
        method,
        path: target.path.replace('{id}', ':id'),
        resource: target.resource.name,
        kind: target.kind,
        ...(prefix !== '' && { version: version?.name }),
      }
      drafts.push({ path: prefix + toWirePath(target.path, wire), method, draft, facts })
    }
  }
  return drafts
}

/** A draft of an operation with its path and method in the document. */
export interface PlacedDraft {
  /** The path below the path prefix (option `base`): `/posts/{id}`. */
  path: string
  method: string
  draft: Draft
  /** The method, path and resource by which behaviours recognize the operation. */
  facts: OperationFacts
}

/** A path of a resource in the document, and the methods at the path. */
interface ResourcePath {
  /** `/posts/{id}` */
  path: string
  kind: DescribedOperation['kind']
  resource: DescribedResource
  methods: readonly string[]
  parameters: Parameter[]
  parent?: DescribedResource
}

function pathsOf(
  described: DescribedMock,
  resource: DescribedResource,
  versioned: VersionResources,
): ResourcePath[] {
  const { name, kind } = resource
  const { prefix } = described.mock.service.dialect
  const path = (prefix ?? '') + resourcePath('', name)
  const ownPath: ResourcePath = {
    path,
    kind,
    resource,
    methods: methodsAt(described, kind, name),
    parameters: [],
  }
  if (kind !== 'collection' || prefix !== undefined) return [ownPath]
  const member: ResourcePath = {
    path: `${path}/{id}`,
    kind: 'member',
    resource,
    methods: methodsAt(described, 'member', name),
    parameters: [idParameter(resource)],
  }
  const nested = nestedPathsOf(described, member, versioned)
  const isNested = ownValue(described.mock.service.rules, name)?.nested === true
  return isNested ? nested : [ownPath, member, ...nested]
}

function nestedPathsOf(
  described: DescribedMock,
  { path: memberPath, resource: parent, parameters }: ResourcePath,
  { resources, components }: VersionResources,
): ResourcePath[] {
  const { mock, dialect } = described
  return nestedOf(parent.name, mock.service.links).flatMap(({ name, to, key }): ResourcePath[] => {
    const child = resources.get(to)
    if (!child) return []
    const below = resourcePath('', name)
    const methods = methodsAt(described, 'collection', to)
    const wireKey = key === undefined ? undefined : (dialect?.fieldName?.(key) ?? key)
    const list: ResourcePath = {
      path: `${memberPath}${below}`,
      kind: 'collection',
      // A dialect with `serve` may set another key.
      resource: dialect?.stores ? child : withoutKey(child, wireKey, parent, components),
      methods: key === undefined ? methods.filter((method) => method !== 'POST') : methods,
      parameters,
      parent,
    }
    // A dialect with `serve` has no records below a parent.
    if (mock.service.dialect.serve) return [list]
    const parentId = parentParameter(parent.name)
    const owner = resourcePath('', parent.name)
    return [
      list,
      {
        path: `${owner}/{${parentId}}${below}/{id}`,
        kind: 'member',
        resource: child,
        methods: methodsAt(described, 'member', to),
        parameters: [...parameters.map((one) => ({ ...one, name: parentId })), idParameter(child)],
        parent,
      },
    ]
  })
}

/** Returns the methods of a path that the document describes; OpenAPI 3.1 has no QUERY. */
function methodsAt(
  { mock, dialect }: DescribedMock,
  kind: DescribedOperation['kind'],
  resource: string,
): string[] {
  const { readOnly, rules } = mock.service
  const allowed = ownValue(rules, resource)?.methods
  const further = (readOnly ? undefined : ownValue(dialect?.methods ?? {}, kind)) ?? []
  // A body of several records is described by no dialect but those that list such methods.
  const isDescribed = (one: string): boolean =>
    kind !== 'collection' || (one !== 'PATCH' && one !== 'DELETE')
  const methods = new Set([
    ...methodsOf(kind, resource, mock.service).filter(isDescribed),
    ...further.filter((method) => allowed?.includes(method) ?? true),
  ])
  methods.delete('QUERY')
  return [...methods]
}

/** Returns the child without its key of the parent among the required fields: a POST below the parent needs none. */
function withoutKey(
  child: DescribedResource,
  key: string | undefined,
  parent: DescribedResource,
  components: VersionResources['components'],
): DescribedResource {
  const component = componentOf(child.input)
  const input = component === undefined ? undefined : components[component]
  if (key === undefined || component === undefined || !isRecord(input)) return child
  const { required } = input
  if (!Array.isArray(required) || !required.includes(key)) return child
  const name = `${componentOf(parent.record) ?? ''}${component}`
  components[name] = withRequired(input, (one) => one !== key)
  return { ...child, input: refTo(name), form: undefined }
}

function idParameter({ fields, idField, singular }: DescribedResource): Parameter {
  const types = typesOf(ownValue<JsonSchema>(fields, idField) ?? {})
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of ${withArticle(singular)}.`,
    schema: idSchemaOf(types),
  }
}

function idSchemaOf(types: readonly string[] = ['string']): JsonSchema {
  if (types.every((type) => type === 'integer')) return { type: 'integer' }
  if (types.every((type) => type === 'integer' || type === 'number')) return { type: 'number' }
  return { type: 'string', minLength: 1 }
}

function draftOperation(
  { mock, dialect, names }: DescribedMock,
  { kind, resource, parent, parameters }: ResourcePath,
  sent: string,
  isPlain: boolean,
  version?: VersionFacts,
): Draft | undefined {
  const method = (sent === 'HEAD' ? 'GET' : sent) as DescribedOperation['method']
  const operation: DescribedOperation = {
    method,
    kind,
    resource,
    isPlain,
    ...(parent && { parent: parent.name }),
  }
  const { one = '', many = '' } = names.get(resource.name) ?? {}
  const owner = (parent && names.get(parent.name)?.one) ?? ''
  const suffix = version?.prefix === undefined ? '' : toName(version.name)
  const isList = kind === 'collection' && method !== 'POST'
  const subject = owner + (isList ? many : one)
  const base = {
    operationId: `${verbOf(sent, kind)}${subject}${suffix}`,
    summary: summaryOf(sent, operation),
    tag: resource.name,
  }
  const draft = createDraft(base, parameters, sent)
  if (!dialect) return { ...draft, isOpen: true }
  const described = dialect.operation(operation)
  if (!described) return undefined
  addHttp(draft, operation, described, mock.service)
  return draft
}

function verbOf(method: string, kind: DescribedOperation['kind']): string {
  if (method === 'GET') return kind === 'collection' ? 'list' : 'get'
  const verbs: Record<string, string> = {
    POST: 'create',
    PUT: 'replace',
    PATCH: 'update',
    DELETE: 'delete',
    HEAD: 'head',
    OPTIONS: 'options',
  }
  return verbs[method] ?? method.toLowerCase()
}

function summaryOf(method: string, { kind, resource, parent }: DescribedOperation): string {
  const { singular, name } = resource
  const subjects = {
    collection: name,
    member: withArticle(singular),
    singleton: `the singleton ${name}`,
    document: `the document ${name}`,
  }
  const subject = subjects[kind]
  const place = parent === undefined ? '' : ` of a record of ${parent}`
  const verbs: Record<string, string> = {
    GET: kind === 'collection' ? `List ${name}` : `Get ${subject}`,
    HEAD: `Get the headers of ${subject}`,
    POST: kind === 'collection' ? `Create ${withArticle(singular)}` : `Replace ${subject}`,
    PUT: `Replace ${subject}`,
    PATCH: `Update ${subject}`,
    DELETE: `Delete ${subject}`,
    OPTIONS: `List the methods of ${subject}`,
  }
  return (verbs[method] ?? `${method} ${subject}`) + place
}

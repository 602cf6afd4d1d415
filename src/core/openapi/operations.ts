import type { DescribedOperation, DescribedResource } from '../dialects/contract/description.ts'
import type { OperationFacts, VersionFacts } from '../http/contract/description.ts'
import { resourcePath } from '../http/routing/member-path.ts'
import { methodsOf } from '../http/routing/methods.ts'
import { isRecord, ownValue } from '../json/json.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type { Parameter } from '../types/openapi.ts'
import type { Draft } from './draft.ts'
import { factsOf } from './facts.ts'
import { toName } from './names.ts'
import { nameOf, summaryOf, verbOf } from './operation-names.ts'
import { nestedOf } from './schemas/relations.ts'
import { typesOf, withRequired } from './schemas/properties.ts'
import { componentOf, refTo } from './schemas/references.ts'
import type { VersionResources, DescribedMock } from './described-mock.ts'

/** An operation with its place in the document. */
export interface PlacedDraft {
  /** The path below the base: `/posts/{id}`. */
  path: string
  method: string
  draft: Draft
  /** The method, path and resource by which behaviours recognize the operation. */
  facts: OperationFacts
}

/** A path of a resource with its methods. */
interface ResourcePath {
  /** `/posts/{id}` */
  path: string
  /** `/posts/:id` */
  pattern: string
  kind: DescribedOperation['kind']
  resource: DescribedResource
  methods: readonly string[]
  parameters: Parameter[]
  parent?: DescribedResource
}

/** Drafts the operations on all resources, in the order of the fixtures. */
export function draftResources(
  described: DescribedMock,
  { resources, components }: VersionResources,
  isPlain: boolean,
  version?: VersionFacts,
): PlacedDraft[] {
  const prefix = version?.prefix ?? ''
  return [...resources.values()]
    .flatMap((resource) => pathsOf(described, resource, resources, components))
    .flatMap((at) =>
      at.methods.flatMap((method): PlacedDraft[] => {
        const draft = draftOperation(described, at, method, isPlain, version)
        if (!draft) return []
        const { kind, pattern, resource } = at
        const facts: OperationFacts = {
          method,
          path: pattern,
          resource: resource.name,
          kind,
          ...(prefix !== '' && { version: version?.name }),
        }
        return [{ path: prefix + at.path, method, draft, facts }]
      }),
    )
}

function pathsOf(
  { mock, dialect }: DescribedMock,
  resource: DescribedResource,
  resources: VersionResources['resources'],
  components: VersionResources['components'],
): ResourcePath[] {
  const { name, kind } = resource
  const { readOnly, links } = mock.service
  const methods = (one: DescribedOperation['kind']): string[] => {
    const more = (readOnly ? [] : ownValue(dialect?.methods ?? {}, one)) ?? []
    return [...new Set([...methodsOf(one, readOnly), ...more])].filter(
      (method) => method !== 'QUERY',
    )
  }
  const path = resourcePath('', name)
  const own: ResourcePath = {
    path,
    pattern: path,
    kind,
    resource,
    methods: methods(kind),
    parameters: [],
  }
  if (kind !== 'collection') return [own]
  const id = idParameter(resource)
  const member: ResourcePath = {
    path: `${path}/{id}`,
    pattern: `${path}/:id`,
    kind: 'member',
    resource,
    methods: methods('member'),
    parameters: [id],
  }
  const toWire = (key: string | undefined): string | undefined =>
    key === undefined ? undefined : (dialect?.fieldName?.(key) ?? key)
  const nested = nestedOf(name, links).flatMap((child): ResourcePath[] => {
    const found = resources.get(child.to)
    if (!found) return []
    const below = resourcePath('', child.name)
    const all = methods('collection').filter((one) => one !== 'POST' || child.key !== undefined)
    return [
      {
        path: `${member.path}${below}`,
        pattern: `${member.pattern}${below}`,
        kind: 'collection',
        // A dialect with `serve` may set another key.
        resource: dialect?.stores
          ? found
          : withoutKey(found, toWire(child.key), resource, components),
        methods: all,
        parameters: [id],
        parent: resource,
      },
    ]
  })
  return [own, member, ...nested]
}

/** The child of a nested path, whose POST needs no key of the parent. */
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

/** The parameter of the id in a path. */
function idParameter({ fields, idField }: DescribedResource): Parameter {
  const types = typesOf(ownValue<JsonSchema>(fields, idField) ?? {})
  const isInteger = types?.length === 1 && types[0] === 'integer'
  const isNumber = types?.every((one) => one === 'number' || one === 'integer') ?? false
  const schema = isInteger
    ? { type: 'integer' }
    : isNumber
      ? { type: 'number' }
      : { type: 'string', minLength: 1 }
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the record.',
    schema,
  }
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
  const own = names.get(resource.name)
  const owner = parent && names.get(parent.name)
  const suffix = version?.prefix === undefined ? '' : toName(version.name)
  const subject = (owner?.one ?? '') + nameOf(kind, method, own?.one ?? '', own?.many ?? '')
  const base = {
    operationId: `${verbOf(sent, kind)}${subject}${suffix}`,
    summary: summaryOf(sent, operation),
    tag: resource.name,
  }
  if (!dialect) return toOpenDraft(base, parameters, sent)
  const described = dialect.operation(operation)
  if (!described) return undefined
  const facts = factsOf(operation, described, mock.service)
  const draft: Draft = {
    ...base,
    ...facts,
    notes: [...(described.notes ?? [])],
    parameters: [...parameters, ...facts.parameters],
    isBodiless: sent === 'HEAD',
  }
  return draft
}

/** The draft of an operation without a description: any response is possible. */
export function toOpenDraft(
  base: Pick<Draft, 'operationId' | 'summary' | 'tag'>,
  parameters: readonly Parameter[],
  method: string,
): Draft {
  return {
    ...base,
    notes: [],
    parameters: [...parameters],
    responses: new Map(),
    errors: new Map(),
    headers: {},
    headersOf: new Map(),
    isBodiless: method === 'HEAD',
    isOpen: true,
  }
}

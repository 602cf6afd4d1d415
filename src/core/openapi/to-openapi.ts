import type { MockInternals } from '../http/contract/internals.ts'
import type { Shape } from '../shape/shapes.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type {
  OpenApiDocument,
  OperationMethod,
  PathItem,
  Components,
  Header,
  Operation,
  Parameter,
  Reference,
  Response,
} from '../types/openapi.ts'
import { define, isRecord } from '../json/json.ts'
import { mapSubschemas } from '../json/subschemas.ts'
import { requiredOf } from '../shape/declared/apply-schema.ts'
import { applyBehaviours } from './draft.ts'
import { jsonPatch } from './draft-http.ts'
import { createUnique, toName } from './names.ts'
import { draftResources, type PlacedDraft } from './operations.ts'
import { draftRoutes } from './routes.ts'
import { combineVersions, type DescribedMock, describeMock, toResources } from './described-mock.ts'
import { writeOperation, errorName } from './write-operation.ts'
import { componentOf } from './schemas/references.ts'

/**
 * Describes a mock as an OpenAPI 3.1 document, so that tools can make clients and documentation of it: its
 * routes, parameters, bodies, statuses, headers and errors with its current configuration. `shapes` are the
 * shapes of its fixtures.
 * @example toOpenApi(mock, createFixtureShapes(mock)())
 */
export function toOpenApi(
  mock: MockInternals,
  shapes: readonly Shape[],
  {
    title = 'Fixtura',
    version = '1.0.0',
    server = mock.service.base || '/',
    plain = false,
  }: OpenApiOptions = {},
): OpenApiDocument {
  const described = describeMock(mock, shapes)
  const { drafts, schemas } = draftAll(described, plain)
  for (const { draft, facts } of drafts) applyBehaviours(draft, facts, described.descriptions)
  const parts = shareRepeated(
    writePaths(drafts, described),
    (name) => described.names.get(name)?.one ?? toName(name),
  )
  const { paths, ...shared } = parts
  const securitySchemes = Object.assign(
    {},
    ...described.descriptions.map((one) => one.securitySchemes),
  )
  const tags = [...new Set(drafts.map(({ draft }) => draft.tag))]
  const { description, ...extensions } = describeApi(described, plain)
  const all = { ...schemas, ...described.dialect?.schemas, JsonPatch: jsonPatch }
  const used = Object.entries(usedSchemas(all, parts))
  return {
    openapi: '3.1.1',
    info: {
      title,
      version,
      description,
      license: { name: 'Unspecified', identifier: 'LicenseRef-Unspecified' },
      ...extensions,
    },
    servers: [{ url: server }],
    security: [],
    tags: tags.map((name) => ({ name, description: describeTag(name, mock) })),
    paths,
    components: {
      schemas: Object.fromEntries(
        used.map(([name, one]) => [name, separateInherited(one) as JsonSchema]),
      ),
      ...withoutEmpty(shared),
      ...withoutEmpty({ securitySchemes }),
    },
  }
}

/** The options of {@link toOpenApi}. */
export interface OpenApiOptions {
  /** The title of the API. @default 'Fixtura' */
  title?: string
  /** The version of the document. @default '1.0.0' */
  version?: string
  /** The URL of the server, with the path prefix. @default the option `base`, relative to the URL of the document */
  server?: string
  /**
   * Leaves out the parameters and bodies that change the shape of a response, such as `_fields` and arrays in
   * a POST, so that generated clients have exact types. @default false
   */
  plain?: boolean
}

function draftAll(
  described: DescribedMock,
  isPlain: boolean,
): { drafts: PlacedDraft[]; schemas: Record<string, JsonSchema> } {
  const first = combineVersions(described)
  const routes = draftRoutes(described, first)
  // A described route answers in place of a resource; the methods of a path stay those of its resource.
  const isReplaced = ({ path, method }: PlacedDraft): boolean =>
    method !== 'OPTIONS' &&
    routes.some((one) => !one.draft.isOpen && one.path === path && one.method === method)
  const resources = draftResources(described, first, isPlain).filter((one) => !isReplaced(one))
  const drafts = [...resources, ...routes]
  // Drafting has added the inputs of nested paths to the components.
  const schemas = { ...first.components }
  for (const version of described.versions) {
    if (version.prefix === undefined) continue
    const own = toResources(described, version)
    drafts.push(...draftResources(described, own, isPlain, version))
    Object.assign(schemas, own.components)
  }
  return { drafts, schemas }
}

function writePaths(
  drafts: readonly PlacedDraft[],
  { dialect }: DescribedMock,
): Record<string, PathItem> {
  const unique = createUnique()
  const paths: Record<string, PathItem> = {}
  for (const { path, method, draft } of drafts) {
    const item = (paths[path] ??= {})
    const key = method.toLowerCase() as OperationMethod
    if (item[key]) continue
    item[key] = writeOperation({ ...draft, operationId: unique(draft.operationId) }, dialect)
  }
  return paths
}

function describeTag(name: string, { service }: MockInternals): string {
  const resource = service.store.resources.get(name)
  return resource ? `The ${resource.kind} \`${name}\`.` : `Routes of \`${name}\`.`
}

function withoutEmpty<T extends object>(parts: T): T {
  const entries = Object.entries(parts).filter(([, part]) => Object.keys(part as object).length > 0)
  return Object.fromEntries(entries) as T
}

function describeApi({ dialect, descriptions, undescribed }: DescribedMock, isPlain: boolean) {
  const sentences = [
    'A mock of an API, served from fixtures. Schemas describe the records of the fixtures, and the records that requests make of them as long as they follow this document.',
    dialect?.text ?? '',
    isPlain ? 'Left out are parameters and bodies that change the shape of a response.' : '',
    ...descriptions.flatMap(({ notes = [] }) => notes),
    'Pages of other origins get CORS headers, which are not listed, and answers to preflights.',
    undescribed.length > 0
      ? `Not described: ${undescribed.map((name) => `\`${name}\``).join(', ')}. They can change every response.`
      : '',
  ]
  return {
    description: sentences.filter((text) => text !== '').join('\n\n'),
    ...(undescribed.length > 0 && { 'x-not-described': [...undescribed] }),
  }
}

function usedSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
  document: unknown,
): Record<string, JsonSchema> {
  const used = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isRecord(value)) return
    const [component] = componentOf(value)?.split('/') ?? []
    if (component !== undefined && !used.has(component)) {
      used.add(component)
      visit(schemas[component])
    }
    Object.values(value).forEach(visit)
  }
  visit(document)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

/** Validators read an inherited `record.constructor`; a pattern is compared with a record's own fields alone. */
function separateInherited(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const converted = mapSubschemas(schema, separateInherited)
  const { properties } = converted
  if (!isRecord(properties)) return converted
  const required = requiredOf(schema)
  const [own, inherited]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
  for (const [name, property] of Object.entries(properties)) {
    const isInherited = name in Object.prototype && !required.includes(name)
    define(isInherited ? inherited : own, isInherited ? `^${name}$` : name, property)
  }
  if (Object.keys(inherited).length === 0) return converted
  const patterns = converted['patternProperties']
  const patternProperties = { ...(isRecord(patterns) ? patterns : {}), ...inherited }
  return { ...converted, properties: own, patternProperties }
}

/** Moves parameters, headers and responses that operations repeat to components; `ownerOf` names that of a resource. */
function shareRepeated(
  paths: Readonly<Record<string, PathItem>>,
  ownerOf: (resource: string) => string,
): Pick<OpenApiDocument, 'paths'> & Pick<Components, 'headers' | 'parameters' | 'responses'> {
  const headers = createShare<Header>('headers')
  const parameters = createShare<Parameter>('parameters')
  const responses = createShare<Response>('responses')
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    if (!isOperation(operation)) continue
    operation.parameters?.forEach(parameters.count)
    for (const response of Object.values(operation.responses)) {
      responses.count(response)
      if (!isInline<Response>(response)) continue
      Object.values(response.headers ?? {}).forEach(headers.count)
    }
  }

  function shareOperation(operation: Operation, method: string): Operation {
    const owner = ownerOf(operation.tags?.[0] ?? '')
    const prefixes = ['', owner, toName(method), toName(method) + owner]
    const namesOf = (name: string): string[] => prefixes.map((prefix) => prefix + name)
    const shareHeaders = (response: Response): Response => ({
      ...response,
      ...(response.headers && {
        headers: mapValues(response.headers, (one, name) =>
          headers.share(one, namesOf(toName(name))),
        ),
      }),
    })
    return {
      ...operation,
      ...(operation.parameters && {
        parameters: operation.parameters.map((one) =>
          parameters.share(one, isInline<Parameter>(one) ? namesOf(parameterName(one)) : []),
        ),
      }),
      responses: mapValues(operation.responses, (one, status) => {
        const isSuccess = Number(status) < 300 && 'content' in one
        const name = isSuccess ? `${toName(operation.operationId)}Response` : errorName(status)
        return responses.share(one, namesOf(name), shareHeaders)
      }),
    }
  }

  const shared = mapValues(paths, (item) =>
    mapValues(item, (one, method) => (isOperation(one) ? shareOperation(one, method) : one)),
  ) as Record<string, PathItem>
  return {
    paths: shared,
    responses: responses.components,
    parameters: parameters.components,
    headers: headers.components,
  }
}

/** Creates the components of one kind, to which repeated parts move. */
function createShare<T extends object>(kind: string) {
  const counts = new Map<string, number>()
  const references = new Map<string, Reference>()
  const components: Record<string, T> = {}
  const unique = createUnique()
  return {
    /** Counts a part. All parts are counted before one is shared. */
    count(value: T | Reference): void {
      const key = JSON.stringify(value)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
    /** Returns a reference to a repeated part, named by the first free name, otherwise the part. */
    share(
      value: T | Reference,
      names: readonly string[],
      convert = (part: T): T => part,
    ): T | Reference {
      if (!isInline<T>(value)) return value
      const key = JSON.stringify(value)
      if ((counts.get(key) ?? 0) < 2) return convert(value)
      const existing = references.get(key)
      if (existing) return existing
      const name = unique(names.find((one) => !Object.hasOwn(components, one)) ?? names[0] ?? '')
      const reference = { $ref: `#/components/${kind}/${name}` }
      references.set(key, reference)
      components[name] = convert(value)
      return reference
    },
    components,
  }
}

function parameterName({ name, in: place }: Parameter): string {
  return toName(name) + (place === 'path' ? 'InPath' : '')
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  convert: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([key, one]) => [key, convert(one, key)]))
}

function isInline<T extends object>(value: T | Reference): value is T {
  return !('$ref' in value)
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && 'operationId' in value
}

import type { DescribedOperation, DescribedRoute } from '../dialects/contract/description.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type { Parameter } from '../types/openapi.ts'
import type { Route } from '../http/contract/internals.ts'
import { ownValue } from '../json/json.ts'
import { addErrors, addResponses, createDraft, type Draft, type DraftResponse } from './draft.ts'
import { bodyOf } from './draft-http.ts'
import { pickHeaders } from './headers.ts'
import { toName } from './names.ts'
import type { PlacedDraft } from './operations.ts'
import type { VersionResources, DescribedMock } from './described-mock.ts'

/** Drafts the routes of the dialect, of behaviours and, without a description, all others. */
export function draftRoutes(described: DescribedMock, versioned: VersionResources): PlacedDraft[] {
  const { mock, descriptions, dialect } = described
  const { resources } = versioned
  const { base } = mock.service
  const schemaOf = (name: string, field?: string): JsonSchema => {
    const resource = resources.get(name)
    if (field === undefined && resource && isHiding(mock.service, name)) return resource.part
    return (field === undefined ? resource?.record : ownValue(resource?.fields ?? {}, field)) ?? {}
  }
  const routes = mock.routes
    .filter(({ kind }) => kind === 'custom')
    .map(({ path, methods, resource }) => ({ path: path.slice(base.length), methods, resource }))
  const methodsAt = (path: string): readonly string[] =>
    routes.find((route) => route.path === path)?.methods ?? []
  const dialectDrafts = (dialect?.routes?.([...resources.values()]) ?? []).map((route) =>
    toPlaced(route, mock.service.dialect.name),
  )
  const behaviourDrafts = descriptions.flatMap(({ name, routes: describedRoutes }) =>
    (describedRoutes?.(schemaOf) ?? []).map((route) =>
      toPlaced(withRecords(route, described, versioned), name),
    ),
  )
  const drafts = [...dialectDrafts, ...behaviourDrafts]
  const paths = new Set(drafts.map(({ path }) => path))
  return [
    ...drafts.flatMap((placed) => withSafeMethods(placed, methodsAt(placed.facts.path))),
    ...routes.flatMap((route) => draftOpenRoute(route, paths)),
  ]
}

/** Whether the dialect leaves out fields of a record in the answers of behaviours. */
function isHiding({ dialect, store }: DescribedMock['mock']['service'], name: string): boolean {
  const collection = store.resources.get(name)
  if (collection?.kind !== 'collection' || !dialect.embedded) return false
  const keys = [...collection.keys()]
  const shown = dialect.embedded(Object.fromEntries(keys.map((key) => [key, null])), collection)
  return Object.keys(shown).length < keys.length
}

/** Adds the body and the response of a route whose requests are about records of a collection. */
function withRecords(
  route: DescribedRoute,
  { mock, dialect }: DescribedMock,
  { resources }: VersionResources,
): DescribedRoute {
  const { recordsOf, method, responses } = route
  const resource = recordsOf === undefined ? undefined : resources.get(recordsOf)
  if (!resource || method === 'HEAD') return route
  const kind = method === 'POST' ? 'collection' : 'member'
  const operation: DescribedOperation = { method, kind, resource, isPlain: true }
  const { serve, put } = mock.service.dialect
  const own = (serve ? undefined : dialect?.operation(operation)) ?? {}
  const { status = 200, result = { schema: resource.record } } = own
  const hasBody = method !== 'GET' && method !== 'OPTIONS'
  const body = hasBody ? bodyOf(operation, own, put === 'merge') : undefined
  const hasResponses = Object.keys(responses).length > 0
  return {
    ...route,
    ...(body && { body }),
    responses: hasResponses
      ? responses
      : { [status]: { description: `The ${resource.singular}.`, ...result } },
  }
}

/** Drafts the operations of a route that nothing describes; no operation for a path in `described`. */
function draftOpenRoute(
  { path, methods, resource }: Pick<Route, 'path' | 'methods' | 'resource'>,
  described: ReadonlySet<string>,
): PlacedDraft[] {
  const { template, parameters } = toTemplate(path)
  if (template === undefined || described.has(template)) return []
  return methods.filter(isMethod).map((method): PlacedDraft => {
    const base = {
      operationId: method.toLowerCase() + toName(template.replaceAll(/[{}]/g, '')),
      summary: `${method} ${template}`,
      tag: resource,
    }
    const draft = { ...createDraft(base, parameters, method), isOpen: true }
    return { path: template, method, draft, facts: { method, path, kind: 'custom' } }
  })
}

function withSafeMethods(placed: PlacedDraft, methods: readonly string[]): PlacedDraft[] {
  const { draft, facts, method } = placed
  const { operationId, summary } = draft
  const toOther = (other: string, own: Partial<Draft>): PlacedDraft => ({
    ...placed,
    method: other,
    draft: {
      ...draft,
      operationId: `${other.toLowerCase()}${toName(operationId)}`,
      responses: new Map(draft.responses),
      errors: new Map(draft.errors),
      headers: { ...draft.headers },
      headersOf: new Map(draft.headersOf),
      notes: [],
      parameters: [...draft.parameters],
      ...own,
    },
    facts: { ...facts, method: other },
  })
  const response: DraftResponse = {
    description: 'The methods of the path.',
    headers: pickHeaders('Allow'),
    content: {},
  }
  const all = [placed]
  if (method === 'GET' && methods.includes('HEAD')) {
    all.push(toOther('HEAD', { summary: `${summary}: the headers`, isBodiless: true }))
  }
  if (methods.includes('OPTIONS')) {
    const errors = new Map([...draft.errors].filter(([status]) => [400, 404, 414].includes(status)))
    const own = {
      summary: `${summary}: the methods`,
      body: undefined,
      errors,
      responses: new Map([[204, response]]),
    }
    all.push(toOther('OPTIONS', own))
  }
  return all
}

function isMethod(method: string): boolean {
  return ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].includes(method)
}

function toPlaced(route: DescribedRoute, contributor: string): PlacedDraft {
  const {
    method,
    path,
    operationId,
    summary,
    notes = [],
    tag = contributor,
    body,
    errors = {},
  } = route
  const { template, parameters } = toTemplate(path)
  const all = [...parameters, ...(route.parameters ?? [])]
  const draft = createDraft({ operationId, summary, tag }, all, method)
  draft.notes.push(...notes)
  draft.headers = pickHeaders('Cache-Control', 'Vary')
  if (body) {
    draft.body = { required: route.isBodyRequired ?? true, types: body }
    draft.headersOf.set(415, pickHeaders('Accept'))
  }
  addResponses(draft, route.responses)
  addErrors(draft, {
    400: 'The path, a parameter or the body is malformed.',
    414: 'The URL is too long.',
    ...errors,
  })
  return { path: template ?? path, method, draft, facts: { method, path, kind: 'custom' } }
}

/** The template is undefined for a path with a wildcard. */
function toTemplate(path: string): { template: string | undefined; parameters: Parameter[] } {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const isPlain = !/[*()?]/.test(path)
  const parameters = names.map((name): Parameter => {
    return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } }
  })
  return { template: isPlain ? path.replaceAll(/:(\w+)/g, '{$1}') : undefined, parameters }
}

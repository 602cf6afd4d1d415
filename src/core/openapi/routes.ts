import type { DescribedRoute } from '../dialects/contract/description.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type { Parameter } from '../types/openapi.ts'
import { ownValue } from '../json/json.ts'
import { addErrors, type Draft, type DraftResponse, toContent } from './draft.ts'
import { pickHeaders } from './headers.ts'
import { toName } from './names.ts'
import { type PlacedDraft, toOpenDraft } from './operations.ts'
import type { VersionResources, DescribedMock } from './described-mock.ts'

/** Drafts the operations of routes that belong to no resource. */
export function draftRoutes(
  described: DescribedMock,
  { resources }: VersionResources,
): PlacedDraft[] {
  const { mock, descriptions, dialect } = described
  const schemaOf = (name: string, field?: string): JsonSchema => {
    const resource = resources.get(name)
    return (field === undefined ? resource?.record : ownValue(resource?.fields ?? {}, field)) ?? {}
  }
  const drafts = [
    ...(dialect?.routes?.([...resources.values()]) ?? []).map((route) =>
      toPlaced(route, mock.service.dialect.name),
    ),
    ...descriptions.flatMap(({ name, routes }) =>
      (routes?.(schemaOf) ?? []).map((route) => toPlaced(route, name)),
    ),
  ]
  const isDescribed = (path: string): boolean => drafts.some((one) => one.path === path)
  const { base } = mock.service
  const methodsAt = (path: string): readonly string[] =>
    mock.routes.find((route) => route.kind === 'custom' && route.path === base + path)?.methods ??
    []
  const others = mock.routes
    .filter(({ kind }) => kind === 'custom')
    .flatMap(({ path, methods, resource }) => {
      const { template, parameters } = toTemplate(path.slice(base.length))
      if (template === undefined || isDescribed(template)) return []
      return methods
        .filter((method) => /^[A-Z]+$/.test(method) && isMethod(method))
        .map((method): PlacedDraft => {
          const words = template.replaceAll(/[{}]/g, '')
          const names = {
            operationId: method.toLowerCase() + toName(words),
            summary: `${method} ${template}`,
            tag: resource,
          }
          const draft = toOpenDraft(names, parameters, method)
          return {
            path: template,
            method,
            draft,
            facts: { method, path: path.slice(base.length), kind: 'custom' },
          }
        })
    })
  return [...drafts.flatMap((one) => withSafeMethods(one, methodsAt(one.facts.path))), ...others]
}

/** Adds HEAD to the GET of a route, and OPTIONS to its first operation, where the route has them. */
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
    const errors = new Map([...draft.errors].filter(([status]) => [400, 414].includes(status)))
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
  const responses = Object.entries(route.responses).map(
    ([status, response]): [number, DraftResponse] => {
      const { description, headers = {} } = response
      return [
        Number(status),
        { description, headers: { ...headers }, content: toContent(response) },
      ]
    },
  )
  const draft: Draft = {
    operationId,
    summary,
    notes: [...notes],
    tag,
    parameters: [...parameters, ...(route.parameters ?? [])],
    ...(body && { body: { required: route.isBodyRequired ?? true, types: body } }),
    responses: new Map(responses),
    errors: new Map(),
    headers: pickHeaders('Cache-Control', 'Vary'),
    headersOf: new Map(body ? [[415, pickHeaders('Accept')]] : []),
    isBodiless: method === 'HEAD',
  }
  addErrors(draft, {
    400: 'The path, a parameter or the body is malformed.',
    414: 'The URL is too long.',
    ...errors,
  })
  return { path: template ?? path, method, draft, facts: { method, path, kind: 'custom' } }
}

/** A path with parameters as OpenAPI writes them; no template for a path with a wildcard. */
function toTemplate(path: string): { template: string | undefined; parameters: Parameter[] } {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const isPlain = !/[*()?]/.test(path)
  const parameters = names.map((name): Parameter => {
    return { name, in: 'path', required: true, schema: { type: 'string', minLength: 1 } }
  })
  return { template: isPlain ? path.replaceAll(/:(\w+)/g, '{$1}') : undefined, parameters }
}

import type { DescribedRoute } from '../dialects/contract/description.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type { Parameter } from '../types/openapi.ts'
import { addErrors, type Draft, type DraftResponse, toContent } from './draft.ts'
import { pickHeaders } from './headers.ts'
import { toName } from './names.ts'
import { type PlacedDraft, toOpenDraft } from './operations.ts'
import type { VersionResources, World } from './world.ts'

/** Drafts the operations of routes that belong to no resource. */
export function draftRoutes(world: World, { resources }: VersionResources): PlacedDraft[] {
  const { mock, descriptions, dialect } = world
  const schemaOf = (name: string): JsonSchema => resources.get(name)?.record ?? {}
  const described = [
    ...(dialect?.routes?.([...resources.values()]) ?? []).map((route) =>
      toPlaced(route, mock.service.dialect.name),
    ),
    ...descriptions.flatMap(({ name, routes }) =>
      (routes?.(schemaOf) ?? []).map((route) => toPlaced(route, name)),
    ),
  ]
  const isDescribed = (path: string): boolean => described.some((one) => one.path === path)
  const { base } = mock.service
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
  return [...described, ...others]
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
    headersOf: new Map(),
    isBodiless: method === 'HEAD',
  }
  addErrors(draft, { 400: 'The request is malformed.', 414: 'The URL is too long.', ...errors })
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

import type {
  Answer,
  Call,
  Changes,
  Data,
  CallBody,
  Dialect,
  DialectRoute,
  RenderContext,
  SentBody,
} from '../dialects/contract/dialect.ts'
import { rest } from '../dialects/rest/rest.ts'
import { MockError } from '../errors/mock-error.ts'
import { suggest } from '../errors/nearest.ts'
import { isRecord } from '../json/json.ts'
import type { BoundDocument } from './bind.ts'
import type { BoundCollection } from './binding.ts'
import { jsonContent, readContent } from './document.ts'
import type { Engine } from './engine.ts'
import { toErrorBody } from './envelope.ts'
import type { Tools } from './project.ts'
import { readRequest } from './request.ts'
import { createExamples, typeOf } from './respond.ts'
import { createRouter, type Router } from './router.ts'
import { createActions } from './serve.ts'

/** Creates the dialect that answers the operations of a document as the document describes them. */
export function createOpenApiDialect(
  bound: BoundDocument,
  engine: Engine,
  tools: Tools,
): { dialect: Dialect; route: Router } {
  const { source, bindings } = bound
  const route = createRouter(bindings, source.prefixes, ({ parameters }, params) =>
    parameters.every(({ in: place, name, schema, style }) => {
      const text = params[name]
      if (place !== 'path' || style !== 'simple' || text === undefined || !schema) return true
      return engine.accepts(schema, text) || engine.accepts(schema, Number(text))
    }),
  )
  const actions = createActions(bound, engine, tools, createExamples(source, engine, tools))

  function serve(call: Call, data: Data): Answer | Changes {
    const { method, path } = call
    const { binding, params, allowed } = route(method, path)
    if (!binding) return refuse(method, path, allowed)
    const request = readRequest(call, binding, params, { flatten: tools.flatten, engine })
    return actions[binding.action]({ call, binding, request, data })
  }

  function refuse(method: string, path: string, allowed: readonly string[]): Answer {
    if (allowed.length === 0) {
      const known = bindings.map(({ operation }) => operation.path)
      throw new MockError(
        `Failed to find "${path}": the OpenAPI document has no such path. ${suggest(path, [...new Set(known)].slice(0, 200))}`,
        { status: 404, code: 'RESOURCE_UNKNOWN' },
      )
    }
    const methods = [...allowed, ...(allowed.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
    if (method === 'OPTIONS')
      return { status: 204, headers: [['Allow', methods]], value: undefined }
    throw new MockError(
      `Failed to ${method} "${path}": it has no such method. Please use one of ${methods}.`,
      { status: 405, code: 'METHOD_UNKNOWN', headers: [['Allow', methods]] },
    )
  }

  const dialect: Dialect = {
    ...rest,
    name: 'openapi',
    hasOwnPaths: true,
    readBody,
    routes: toRoutes(bound),
    locate({ method, path }, names) {
      const { binding, params } = route(method, path)
      const { collection, member } = binding ?? {}
      if (collection === undefined || !names.includes(collection)) return undefined
      const id = member === undefined ? undefined : params[member]
      return { name: collection, ...(id !== undefined && { id }) }
    },
    serve,
    renderError: (error, context) => renderError(error, context),
    describe: () => undefined,
  }
  return { dialect, route }

  /** An error in the form that the document gives its status, else as a problem document. */
  function renderError(error: MockError, context: RenderContext): Answer {
    const base = context.service?.base ?? ''
    const { binding } = route(context.method, context.path.slice(base.length))
    const { status, message, code, errors } = error
    const responses = binding?.operation.responses
    const response =
      responses?.get(String(status)) ??
      responses?.get(`${String(status).charAt(0)}xx`) ??
      responses?.get('default')
    const content = response && jsonContent(readContent(response))
    if (!content?.schema) return rest.renderError(error, context)
    const value = toErrorBody(content.schema, { status, message, code, errors }, tools)
    const isValid = engine.accepts(content.schema, value)
    if (!isValid && !isRecord(value)) return rest.renderError(error, context)
    return { status, headers: [...error.headers], value, ...typeOf(content) }
  }
}

/** Reads a multipart form, else a text; a body that is no text becomes a replacement character. @throws MockError */
async function readBody({ headers, text, form }: SentBody, limit: number): Promise<CallBody> {
  const type = headers['content-type'] ?? ''
  if (/^\s*multipart\/form-data\b/i.test(type)) return { text: '', form: await form(limit) }
  try {
    return { text: await text(limit) }
  } catch (error) {
    if (error instanceof MockError && error.code === 'BODY_INVALID') return { text: '\uFFFD' }
    throw error
  }
}

/** The routes of a document: a row for each path, with all its methods. */
function toRoutes({ bindings, collections }: BoundDocument): DialectRoute[] {
  const rows = new Map<string, DialectRoute & { methods: string[] }>()
  for (const { action, operation, collection, member } of bindings) {
    if (action === 'none') continue
    const path = operation.path.replaceAll(/\{([^{}]*)\}/g, ':$1')
    const row = rows.get(path) ?? {
      methods: [],
      path,
      resource: collection,
      kind: kindOf(collections.get(collection ?? '')?.kind, member),
    }
    row.methods.push(...(operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]))
    rows.set(path, row)
  }
  return [...rows.values()]
}

function kindOf(kind: BoundCollection['kind'] | undefined, member: string | undefined): RouteKind {
  if (kind === undefined) return 'custom'
  if (kind === 'nested') return 'member'
  return kind === 'collection' && member !== undefined ? 'member' : kind
}

type RouteKind = 'collection' | 'member' | 'singleton' | 'custom'

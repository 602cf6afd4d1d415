import {
  type Check,
  checkOptions,
  isCountUpTo,
  isFlag,
  isEither,
  isMapOf,
  isObject,
  isText,
} from '../errors/check.ts'
import type { BoundOperation, OpenApiSource } from '../dialects/contract/openapi-source.ts'
import type { Documents } from '../json/documents.ts'
import type { Behaviour, WebhookTarget } from '../http/contract/behaviour.ts'
import type { Exchange } from '../http/contract/exchange.ts'
import type { Json, JsonRecord } from '../json/json.ts'
import { checkWebhookTarget } from '../behaviours/webhooks/webhooks.ts'
import { configError } from '../errors/mock-error.ts'
import { bindDocument } from './bind.ts'
import type { Binding } from './binding.ts'
import { readDocument } from './document.ts'
import { createDraw } from '../generate/draw-schema.ts'
import { createEngine } from './engine.ts'
import { createOpenApiDialect } from './openapi-dialect.ts'
import { createMessages } from './messages.ts'
import type { Tools } from './project.ts'
import { createSecurityCheck } from './security.ts'
import { createSeedData } from './seed-data.ts'

/**
 * Makes an OpenAPI document (2.0, 3.0, 3.1 or 3.2) the source of a mock: its paths become collections and singletons
 * with state, in the envelopes and with the parameters, statuses and ids of the document. Data comes from fixtures,
 * then from the examples of the document, then from its schemas.
 * @throws MockError for a value that is no OpenAPI document, and for a wrong option
 * @example
 * const mock = createMock({ openapi: fromOpenApi(document, { count: 5 }) })
 * const response = await mock.fetch('/v1/customers')
 */
export function fromOpenApi(document: object, options: OpenApiOptions = {}): OpenApiSource {
  checkOptions('the options of fromOpenApi', options, optionChecks)
  if (options.webhooks) checkWebhookTarget(options.webhooks)
  return createOpenApiSource(new Map([['', document as JsonRecord]]), '', options)
}

/** Makes the document at a URI the source of a mock; the others are files that its `$ref` lead to. @throws MockError */
export function createOpenApiSource(
  documents: Documents,
  uri: string,
  { bind, count = 20, seed = 1, auth = false, webhooks }: OpenApiOptions,
): OpenApiSource {
  const source = readDocument(documents, uri)
  const bound = bindDocument(source, bind)
  const { flatten } = bound
  const tools: Tools = { flatten, draw: createDraw(flatten), seed: String(seed) }
  const engine = createEngine(source, flatten)
  const { dialect, route } = createOpenApiDialect(bound, engine, tools)
  const operations = bound.bindings.map(describeBinding)
  const { problems } = source
  const security = auth ? createSecurityCheck(source) : undefined
  const messages = webhooks && createMessages({ bound, engine, tools, route }, webhooks)
  /** Checks credentials, sends messages, and lists the operations below `/__mock/operations`. */
  const behaviour: Behaviour = {
    name: 'operations',
    create(world) {
      const { at, controls, ...hooks } = messages?.(world) ?? {}
      for (const key of security?.keys ?? []) world.redactor.addSecret(key)
      const { base } = world.service
      return {
        ...hooks,
        ...((security || at) && {
          at: {
            auth(exchange: Exchange) {
              const { method, path, headers, search } = exchange
              const { binding } = route(method, path.slice(base.length))
              if (binding) security?.check(binding.operation, { headers, search })
              return at?.auth?.(exchange)
            },
          },
        }),
        controls: { ...controls, GET: () => ({ operations, problems }) as unknown as Json },
      }
    },
  }
  const ids = Object.fromEntries(
    [...bound.collections.values()]
      .filter(({ kind, idField }) => kind !== 'singleton' && idField !== 'id')
      .map(({ name, idField }) => [name, idField]),
  )
  const createData = (given: Readonly<Record<string, unknown>>): JsonRecord =>
    createSeedData(bound, given, count, tools, engine)
  return {
    configure(config) {
      if (config.dialect) {
        throw configError(
          'Failed to read the configuration: "dialect" has no effect beside "openapi". Please remove one of them.',
        )
      }
      const { id, use = [] } = config
      return {
        ...config,
        dialect,
        id: typeof id === 'string' ? id : { ...ids, ...id },
        use: [behaviour, ...use],
      }
    },
    complete: (given) =>
      new Map([...given, ...Object.entries(createData(Object.fromEntries(given)))]),
    operations,
    problems,
    createData,
  }
}

/** Describes what an operation was taken for. */
function describeBinding(binding: Binding): BoundOperation {
  const { operation, action, collection, view, isCorrected } = binding
  return {
    method: operation.method,
    path: operation.path,
    action,
    ...(collection !== undefined && { collection }),
    ...(view.keys.length > 0 && { envelope: view.keys.join('.') }),
    isCorrected,
    place: operation.part.uri,
  }
}

/** The options of {@link fromOpenApi}. */
export interface OpenApiOptions {
  /** Whether requests need the credentials of `securitySchemes`; any token or key counts. @default false */
  auth?: boolean
  /** Corrections by operation: `{ 'GET /v1/customers': 'customers.list' }`; also `example` and `none`. */
  bind?: Readonly<Record<string, string>>
  /** The number of records of a collection without fixture. @default 20 */
  count?: number
  /** The seed of generated values: the same seed gives the same values. @default 1 */
  seed?: number | string
  /** Sends `webhooks` of the document to a URL, and `callbacks` to theirs. @default neither is sent */
  webhooks?: WebhookTarget
}

const optionChecks: Readonly<Record<keyof OpenApiOptions, Check>> = {
  auth: isFlag,
  bind: isMapOf(isText),
  count: isCountUpTo(100_000),
  seed: isEither(isText, [Number.isFinite, 'a number']),
  webhooks: isObject,
}

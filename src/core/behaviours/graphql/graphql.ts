import { buildSchema, type GraphQLSchema, isObjectType, validateSchema } from 'graphql'

import {
  checkOptions,
  isCallable,
  isCount,
  isMapOf,
  isObject,
  isOneOf,
  isText,
  wrong,
} from '../../errors/check.ts'
import { toMessage } from '../../errors/error-details.ts'
import type { DescribedRoute } from '../../dialects/contract/description.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import {
  andThen,
  isHandshake,
  type MaybePromise,
  type MockResponse,
  type SocketListener,
} from '../../http/contract/messages.ts'
import { prefersHtml } from '../../http/response/accept.ts'
import { acceptSocket, type Socket } from '../../http/response/sockets.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import { isRecord } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { createFixtureShapes } from '../../mock/shapes.ts'
import { isBase, toBase } from '../../url/base.ts'
import type { Parameter } from '../../types/openapi.ts'
import { parseParams } from '../../url/params.ts'
import { createFeed, type Feed } from '../live/feed.ts'
import { type Api, type ApiOptions, createApi } from './engine.ts'
import { toEntities } from './entities.ts'
import { createPrepare, type OperationLimits } from './execute.ts'
import { createHasuraApi } from './hasura.ts'
import { createAnswer, noteOperation } from './http.ts'
import { createJsonGraphqlApi } from './json-graphql.ts'
import { serveOperations, subprotocol } from './socket.ts'

/**
 * Answers GraphQL over the same data: `POST /graphql`. The schema is made of the fixtures, with the names of
 * `json-graphql-server`: `allPosts`, `Post`, `createPost`.
 * @throws MockError when an option is wrong
 * @example graphql()  // curl localhost:3000/graphql --json '{ "query": "{ allPosts { id title } }" }'
 */
export function graphql(options: GraphqlOptions = {}): Behaviour {
  checkOptions('the options of "graphql"', options, {
    path: [(value) => value !== '' && isBase(value), 'a path such as /graphql'],
    names: isOneOf(...Object.keys(apis)),
    schema: isText,
    resolvers: isMapOf(isMapOf(isCallable)),
    graphiql: isCallable,
    limits: isObject,
  })
  const { limits = {}, resolvers = {}, graphiql } = options
  const schema = options.schema === undefined ? undefined : readSchema(options.schema, resolvers)
  const path = toBase(options.path ?? '/graphql')
  checkOptions('the limits of "graphql"', limits, { depth: isCount, fields: isCount })
  return {
    name: 'graphql',
    create(world) {
      const { service } = world
      let current: Api | undefined
      let shapes: ReturnType<typeof createFixtureShapes> | undefined
      service.store.changes.subscribe(({ type }) => {
        if (type === 'reloaded' || type === 'reset') current = undefined
      }, 'forget the GraphQL schema')

      function create(): Api {
        const mock = world.host()
        shapes ??= createFixtureShapes(mock)
        const entities = toEntities(mock, shapes())
        if (!schema) return apis[options.names ?? 'json-graphql-server'](entities)
        return createApi(schema, entities, { resolvers, firstPage: 1, generates: true })
      }

      const report = (error: unknown): void => world.host().onFailure(error, `answer "${path}"`)
      const apiOf = (): Api => (current ??= create())
      let feed: Feed | undefined
      const feedOf = (): Feed => (feed ??= createFeed(world, 0))
      const answer = createAnswer(
        createPrepare(apiOf, world.db, feedOf, limits, report),
        world.clock,
      )
      const [own, methods] = [service.base + path, ['GET', 'POST', 'OPTIONS']]
      return {
        at: {
          entry(exchange) {
            if (exchange.path !== own || isHandshake(exchange.request)) return undefined
            return andThen(noteOperation(exchange), () => {
              exchange.operation = operationOf(exchange)
              exchange.reasons.push(Object.values(exchange.operation).join(' '))
            })
          },
          // Before `auth`: clients send their credentials in the first message, and each operation is checked.
          fault(exchange) {
            if (exchange.path !== own || !isHandshake(exchange.request)) return undefined
            const serve = (socket: Socket, protocol?: string): SocketListener => {
              if (protocol === undefined) socket.close(4406, 'Subprotocol not acceptable')
              return serveOperations(world, exchange, socket)
            }
            return acceptSocket(exchange, serve, [subprotocol])
          },
          resource(exchange) {
            if (exchange.path !== own) return undefined
            const { method, headers, params } = exchange
            const isPage =
              graphiql && method === 'GET' && prefersHtml(headers) && params.length === 0
            if (isPage) return andThen(graphiql({ endpoint: own }), toPage)
            return answerMethods(exchange, methods) ?? answer(exchange)
          },
        },
        routes: [
          { methods, path },
          { methods: ['GET'], path, sockets: true },
        ],
        describe: () => ({ routes: () => describeRoutes(path) }),
      }
    },
  }
}

/** The schemas that are made of the fixtures, by whose names they have. */
const apis = { 'json-graphql-server': createJsonGraphqlApi, hasura: createHasuraApi }

/** The options of {@link graphql}. */
export interface GraphqlOptions {
  /** The path of the endpoint, below the base. @default '/graphql' */
  path?: string
  /** The names of the schema that is made of the fixtures. @default 'json-graphql-server' */
  names?: 'json-graphql-server' | 'hasura'
  /** The text of a schema in the schema language, in place of one that is made of the fixtures. */
  schema?: string
  /** Functions for fields of `schema`, by type and field. */
  resolvers?: ApiOptions['resolvers']
  /** The limits of operations, so that no operation occupies the mock. */
  limits?: OperationLimits
  /** Returns the page for a browser that opens the endpoint: `renderGraphiQL` of `@graphql-yoga/render-graphiql`. */
  graphiql?: (options: { endpoint: string }) => MaybePromise<string>
}

function toPage(body: string): MockResponse {
  const headers: MockResponse['headers'] = [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', "frame-ancestors 'self'"],
  ]
  return { status: 200, headers, body }
}

/** Describes the endpoint for the OpenAPI document. */
function describeRoutes(path: string): DescribedRoute[] {
  const [text, object] = [{ type: 'string' }, { type: 'object' }]
  const properties = { query: text, operationName: text, variables: object, extensions: object }
  const errors = { type: 'array', items: object }
  const schema = { ...object, properties: { data: { type: ['object', 'null'] }, errors } }
  const responses = {
    200: { description: 'The result.', schema },
    400: { description: 'The request is malformed.', schema },
  }
  const parameters = Object.keys(properties).map((name): Parameter => ({
    name,
    in: 'query',
    schema: text,
  }))
  const [query, operation] = ['Run a GraphQL query', 'Run a GraphQL operation']
  const body = { 'application/json': { ...object, properties } }
  return [
    { method: 'GET', path, operationId: 'queryGraphql', summary: query, parameters, responses },
    { method: 'POST', path, operationId: 'runGraphql', summary: operation, body, responses },
  ]
}

/** Names the operation of a request for patterns, such as `QUERY /graphql/GetPosts`: by its name, else its first field. */
function operationOf(exchange: Exchange): NonNullable<Exchange['operation']> {
  const { method, path, search, body, service } = exchange
  const params = Object.fromEntries(parseParams(search, service.limits.maxParams))
  const { query = '', operationName } = method !== 'POST' ? params : isRecord(body) ? body : {}
  const text = scalarText(query).trimStart()
  const named = [...text.matchAll(/\b(query|mutation|subscription)\s+(\w+)/g)]
  const [, kind, name] = named.find((one) => one[2] === operationName) ?? named[0] ?? []
  const [, start = 'query', field = ''] = /^(?:(\w+)\s*)?\{\s*(\w+)/.exec(text) ?? []
  return {
    method: (kind ?? start).toUpperCase(),
    path: `${path}/${name ?? (scalarText(operationName) || field)}`,
  }
}

/** Reads a schema in the schema language. @throws MockError for a wrong schema, and a resolver of an unknown field */
function readSchema(text: string, resolvers: ApiOptions['resolvers']): GraphQLSchema {
  try {
    const schema = buildSchema(text, { assumeValidSDL: true })
    for (const [type, fields] of Object.entries(resolvers)) {
      const known = schema.getType(type)
      const unknown = Object.keys(fields).find(
        (one) => !isObjectType(known) || !known.getFields()[one],
      )
      if (unknown !== undefined)
        throw new Error(`There is no field "${type}.${unknown}", for which there is a resolver.`)
    }
    for (const error of validateSchema(schema)) throw error
    return schema
  } catch (error) {
    throw wrong('the schema of "graphql"', toMessage(error))
  }
}

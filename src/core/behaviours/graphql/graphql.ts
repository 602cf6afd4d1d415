import type { GraphQLSchema } from 'graphql'

import { type Check, checkOptions, isCount, isObject, isOneOf } from '../../errors/check.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import { createFixtureShapes } from '../../mock/shapes.ts'
import type { Shape } from '../../shape/shapes.ts'
import { isBase, toBase } from '../../url/base.ts'
import { toEntities } from './entities.ts'
import { createPrepare } from './execute.ts'
import { createAnswer } from './http.ts'
import { createJsonGraphqlSchema } from './json-graphql.ts'
import type { OperationLimits } from './limits.ts'

/**
 * Answers GraphQL over the same data: `POST /graphql`. The schema is made of the fixtures, with the names of
 * `json-graphql-server`: `allPosts`, `Post`, `createPost`.
 * @throws MockError when an option is wrong
 * @example graphql()  // curl localhost:3000/graphql --json '{ "query": "{ allPosts { id title } }" }'
 */
export function graphql(options: GraphqlOptions = {}): Behaviour {
  checkOptions('the options of "graphql"', options, {
    path: isPath,
    names: isOneOf('json-graphql-server'),
    limits: isObject,
  })
  const { limits = {} } = options
  const path = toBase(options.path ?? '/graphql')
  checkOptions('the limits of "graphql"', limits, { depth: isCount, fields: isCount })
  const prepare = createPrepare(limits)
  return {
    name: 'graphql',
    create(world) {
      const { service } = world
      let current: GraphQLSchema | undefined
      let shapes: (() => Shape[]) | undefined
      service.store.changes.subscribe(({ type }) => {
        if (type === 'reloaded' || type === 'reset') current = undefined
      }, 'forget the GraphQL schema')

      function schemaOf(): GraphQLSchema {
        if (current) return current
        const mock = world.host()
        shapes ??= createFixtureShapes(mock)
        current = createJsonGraphqlSchema(toEntities(mock, shapes()))
        return current
      }

      const answer = createAnswer({
        schemaOf,
        prepare,
        limits,
        report(error) {
          world.host().onFailure(error, `answer a field of "${path}"`)
          return 'Failed to answer: see the log of the mock.'
        },
      })
      const methods = ['GET', 'POST', 'OPTIONS']
      return {
        at: {
          resource(exchange) {
            if (exchange.path !== service.base + path) return undefined
            return answerMethods(exchange, methods) ?? answer(exchange)
          },
        },
        routes: [{ methods, path }],
      }
    },
  }
}

/** The options of {@link graphql}. */
export interface GraphqlOptions {
  /** The path of the endpoint, below the base. @default '/graphql' */
  path?: string
  /** The names of fields and arguments. @default 'json-graphql-server' */
  names?: 'json-graphql-server'
  /** The limits of operations, so that no operation occupies the mock. */
  limits?: OperationLimits
}

const isPath: Check = [(value) => value !== '' && isBase(value), 'a path such as /graphql']

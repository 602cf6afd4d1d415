// The entry `fixtura/graphql`: GraphQL over the data of a mock. It needs the package `graphql`.
export { graphql, type GraphqlOptions } from './core/behaviours/graphql/graphql.ts'
export type { OperationLimits } from './core/behaviours/graphql/execute.ts'

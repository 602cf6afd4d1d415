import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped, type ValueNode } from 'graphql'

/** Any JSON value: objects, and lists of objects or of mixed values. */
export const jsonScalar: GraphQLScalarType = createAny('JSON', 'Any JSON value.')

/** Dates with a time. A date without a time that a request gives is its midnight in UTC. */
export const dateScalar: GraphQLScalarType = new GraphQLScalarType<unknown, unknown>({
  name: 'Date',
  description: 'A date with a time (RFC 3339).',
  serialize: (value) => value,
  parseValue: toDate,
  parseLiteral: (node) => toDate(node.kind === Kind.STRING ? node.value : undefined, node),
})

/** Creates a scalar that takes any JSON value. */
export function createAny(name: string, description: string): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: (value) => value,
    parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
  })
}

function toDate(value: unknown, node?: ValueNode): string {
  const time = typeof value === 'string' ? Date.parse(value) : NaN
  if (typeof value !== 'string' || Number.isNaN(time)) {
    throw new GraphQLError(
      'Date takes a text such as "2026-01-31T12:00:00.000Z".',
      node && { nodes: node },
    )
  }
  return value.includes('T') ? value : new Date(time).toISOString()
}

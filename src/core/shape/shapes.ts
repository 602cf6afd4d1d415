import { withIdField } from './describe/id-field.ts'
import { toSchema } from './describe/to-schema.ts'
import { toStatistics } from './describe/to-statistics.ts'
import { observeAll } from './observe/observe.ts'
import type { SchemaObject } from './schema.ts'
import type { ResourceKind, ShapeSource } from './sources.ts'
import type { Statistics } from './statistics.ts'

/** What was inferred of a resource, as plain data. */
export interface Shape {
  name: string
  kind: ResourceKind
  /** The field that holds the ids of a collection. */
  idField?: string
  /** The number of records of a collection; 1 for another resource. */
  count: number
  /** The JSON Schema (2020-12) of a record of a collection, or of the value of another resource. */
  schema: SchemaObject
  /** What is known of the values beside the schema, at the same places. */
  statistics: Statistics
}

/** Infers the shapes of all resources, in their order. */
export type InferShapes = (sources: readonly ShapeSource[]) => Shape[]

/**
 * Creates a function that infers the shapes of resources. The function reads a resource again only when its
 * version has changed since the last call.
 * @example const [posts] = createShapes()(toSources({ posts: [{ id: 1, title: 'Hello' }] }))
 */
export function createShapes(): InferShapes {
  let known = new Map<string, Observed>()

  function observe(source: ShapeSource): Observed {
    const { name, kind, version, values } = source
    const before = known.get(name)
    if (before && before.kind === kind && before.version === version) return before
    const statistics = toStatistics(observeAll(values()), kind === 'collection')
    return { kind, version, statistics }
  }

  return (sources) => {
    const observed = new Map(sources.map((source) => [source.name, observe(source)]))
    known = observed
    return sources.map((source) => toShape(source, observed.get(source.name)?.statistics))
  }
}

/** The statistics of a resource at a version. */
interface Observed {
  kind: ResourceKind
  version: unknown
  statistics: Statistics
}

function toShape(
  { name, kind, idField }: ShapeSource,
  statistics: Statistics = { count: 0, nulls: 0 },
): Shape {
  const inferred = toSchema(statistics)
  if (idField === undefined) return { name, kind, count: 1, schema: inferred, statistics }
  const schema = withIdField(inferred, idField)
  return { name, kind, idField, count: statistics.count, schema, statistics }
}

import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Description } from '../../http/contract/description.ts'
import { isRecord } from '../../json/json.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { RecordDescription } from '../../types/record-description.ts'
import { inPlaceSubschemas } from '../../json/subschemas.ts'
import { resolveLocal } from '../../json/local-reference.ts'
import type { Path } from '../../json/path.ts'
import { isOn, isWrite } from '../shared/coverage.ts'
import { checkByResource } from '../shared/resources.ts'
import {
  checkStandard,
  createValidation,
  describeStandard,
  fromStandard,
  isStandard,
  type RecordValidator,
  type StandardSchema,
} from '../shared/standard-schema.ts'
import { createJsonSchemas } from './json-schema.ts'

/**
 * Validates every record before it is stored, by resource: with JSON Schema, or with a validator that
 * implements Standard Schema. A PATCH is validated as the whole record that results from the patch.
 * The output of a validator is ignored, so transformed values are not stored.
 * @throws MockError when a JSON Schema has a mistake
 * @example schema({ posts: { type: 'object', required: ['title'] }, users: z.object({ name: z.string() }) })
 */
export function schema(schemas: Schemas = {}): Schema {
  const checkStore = checkByResource('schema', schemas)
  const entries = Object.entries(schemas)
  for (const [name, one] of entries) if (isStandard(one)) checkStandard(name, one)
  const compile = createJsonSchemas(
    Object.fromEntries(entries.filter(([, one]) => !isStandard(one))),
  )
  const validators: Record<string, RecordValidator> = Object.fromEntries(
    entries.map(([name, one]) => [name, isStandard(one) ? fromStandard(one) : compile(name)]),
  )
  return {
    name: 'schema',
    resources: Object.keys(schemas),
    validators,
    extend: (more) => schema({ ...schemas, ...more }),
    create(world) {
      checkStore(world)
      const description: Description = {
        records: Object.fromEntries(entries.flatMap(describeRecords)),
        operation: (operation) =>
          isWrite(operation) && entries.some(([name]) => isOn(name, operation))
            ? { errors: { 422: 'A field is invalid.' } }
            : undefined,
      }
      return { check: createValidation(validators), describe: () => description }
    },
  }
}

/** Schemas and validators by resource. */
export type Schemas = Readonly<Record<string, JsonSchema | StandardSchema>>

/** The behaviour that `schema` creates, with its validators by resource, which also check the fixtures. */
export interface Schema extends Behaviour {
  readonly validators: Readonly<Record<string, RecordValidator>>
  /** Creates the behaviour with further schemas. */
  extend(more: Schemas): Schema
}

function describeRecords([name, one]: [string, JsonSchema | StandardSchema]): [
  string,
  RecordDescription,
][] {
  if (!isStandard(one)) return [[name, describe(one)]]
  const schema = describeStandard(one)
  return schema === undefined ? [] : [[name, describe(schema)]]
}

function describe(schema: JsonSchema): RecordDescription {
  return { schema, names: (path) => namesPath(schema, path) }
}

/** Whether a JSON Schema of records names the field at a path, or allows any name there. */
export function namesPath(root: unknown, path: Path): boolean {
  return names(root, 0, new Set())

  /** `visited` holds the schemas that apply to the same value. */
  function names(schema: unknown, depth: number, visited: Set<unknown>): boolean {
    const key = path[depth]
    if (key === undefined) return true
    if (!isRecord(schema) || visited.has(schema)) return false
    visited.add(schema)
    const { $ref, $dynamicRef, properties, patternProperties, additionalProperties } = schema
    // The fields of a map have any name.
    if ([patternProperties, additionalProperties].some(isRecord)) return true
    // The fields that another document names are unknown.
    if ($dynamicRef !== undefined) return true
    if (typeof $ref === 'string') {
      const target = resolveLocal($ref, root)
      if (target === undefined || names(target, depth, visited)) return true
    }
    if (isRecord(properties) && Object.hasOwn(properties, key)) {
      if (names(properties[key], depth + 1, new Set())) return true
    }
    const items = [schema['items'], schema['prefixItems']].flat()
    const isIndex = /^\d+$/.test(key)
    return (
      items.some((one) =>
        isIndex ? names(one, depth + 1, new Set()) : names(one, depth, visited),
      ) || inPlaceSubschemas(schema).some((one) => names(one, depth, visited))
    )
  }
}

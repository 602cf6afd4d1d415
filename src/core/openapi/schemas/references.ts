import { isRecord, type JsonRecord } from '../../json/json.ts'
import { mapSubschemas } from '../../json/subschemas.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import { toName } from '../names.ts'

/** Moves `$defs` to components named after `component`; a reference that leads nowhere allows any value. */
export function hoist(
  schema: SchemaObject,
  component: string,
  componentAt: (reference: string) => string | undefined,
): Hoisted {
  const { $id } = schema
  const components: Record<string, JsonSchema> = {}
  const nameOf = (definition: string): string => component + toName(definition)

  function resolve(reference: string): JsonRecord {
    const inner = typeof $id === 'string' && reference.startsWith($id)
    const own = inner ? reference.slice($id.length) || '#' : reference
    if (own === '#') return refTo(component)
    const [, definition, rest = ''] = /^#\/\$defs\/([^/]+)(\/.*)?$/.exec(own) ?? []
    if (definition !== undefined) return refTo(nameOf(definition) + rest)
    if (own.startsWith('#/')) return refTo(component + own.slice(1))
    const other = componentAt(own)
    return other === undefined ? {} : refTo(other)
  }

  function convert(part: unknown): unknown {
    if (!isRecord(part)) return part
    const { $ref, $dynamicRef, ...others } = part
    const kept = Object.entries(others).filter(([name]) => !local.includes(name))
    const inner = mapSubschemas(Object.fromEntries(kept), convert)
    if (typeof $ref === 'string') return { ...resolve($ref), ...inner }
    return typeof $dynamicRef === 'string' ? resolve($dynamicRef) : inner
  }

  const { $defs } = schema
  for (const [name, definition] of Object.entries(isRecord($defs) ? $defs : {})) {
    components[nameOf(name)] = convert(definition) as JsonSchema
  }
  return { schema: convert(schema) as SchemaObject, components }
}

/** The result of {@link hoist}: a schema without definitions, and its definitions as components. */
export interface Hoisted {
  schema: SchemaObject
  components: Record<string, JsonSchema>
}

const prefix = '#/components/schemas/'

/** Returns a reference to a component with a schema. */
export function refTo(component: string): { $ref: string } {
  return { $ref: prefix + component }
}

/** Returns the component that a schema refers to; undefined if the schema is no reference to a component. */
export function componentOf(schema: unknown): string | undefined {
  const reference = isRecord(schema) ? schema['$ref'] : undefined
  if (typeof reference !== 'string' || !reference.startsWith(prefix)) return undefined
  return reference.slice(prefix.length)
}

const local = ['$schema', '$id', '$anchor', '$dynamicAnchor', '$vocabulary', '$defs']

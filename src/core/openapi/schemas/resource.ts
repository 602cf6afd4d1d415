import type { DescribedResource } from '../../dialects/contract/description.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import { propertiesOf, requiredOf, withProperty } from '../../shape/declared/apply-schema.ts'
import { referencedNames, type Shape } from '../../shape/shapes.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { ResourceNames } from '../names.ts'
import { isMarked, mapProperties, renameProperties } from './properties.ts'
import { hoist, refTo } from './references.ts'
import type { EmbeddedRelation } from './relations.ts'
import { isOfFields, type OwnWrites, toInputId, toStored } from './stored.ts'
import { toForm, toInput, toMergePatch, toPart, toPatch } from './variants.ts'

/** Creates the components of a resource: `Post`, `PostInput`, `PostPatch` and others. */
export function createResource(parts: ResourceParts): ResourceSchemas {
  const { shape, names, componentOf } = parts
  const { schema, components } = hoist(shape.schema, names.one, (reference) =>
    referencedNames(reference, shape.name)
      .map(componentOf)
      .find((component) => component !== undefined),
  )
  return shape.kind === 'document'
    ? createDocument(parts, schema, components)
    : createRecords(parts, schema, components)
}

/** The parts from which the schemas of a resource are made. */
export interface ResourceParts {
  shape: Shape
  names: ResourceNames
  relations: readonly EmbeddedRelation[]
  own: OwnWrites
  /** The names of fields that a version of the API renames. */
  renamed: Readonly<Record<string, string>>
  /** Returns the component of the records of another resource, in the same version. */
  componentOf(resource: string): string | undefined
  example: JsonRecord | undefined
  /** The names of filters besides the fields. */
  filters: readonly string[]
}

/** A resource of an OpenAPI document, and the components with its schemas. */
export interface ResourceSchemas {
  resource: DescribedResource
  components: Record<string, JsonSchema>
}

function createDocument(
  { shape: { name, isMade }, names }: ResourceParts,
  schema: SchemaObject,
  components: Record<string, JsonSchema>,
): ResourceSchemas {
  const record = refTo(names.one)
  const resource: DescribedResource = {
    name,
    kind: 'document',
    singular: name,
    idField: '',
    record,
    items: isMade ? ((schema['items'] as JsonSchema | undefined) ?? {}) : undefined,
    embedded: record,
    part: record,
    input: record,
    patch: record,
    mergePatch: record,
    fields: {},
    relations: [],
  }
  const described = { description: `The document \`${name}\`.`, ...schema }
  return { resource, components: { ...components, [names.one]: described } }
}

function createRecords(
  parts: ResourceParts,
  schema: SchemaObject,
  components: Record<string, JsonSchema>,
): ResourceSchemas {
  const { shape, names, relations, own, renamed, componentOf } = parts
  const { name, kind, idField = '' } = shape
  const { one } = names
  const stored = renameProperties(toStored(shape, schema, own), renamed)
  const visible = mapProperties(stored, (property) =>
    isMarked(property, 'writeOnly') ? undefined : property,
  )
  const record = opened(visible, relations.length > 0)
  const input = toRecordInput(parts, schema, stored)
  const form = isOfFields(input) ? toForm(input) : undefined
  // Records in embedded records are not described, as tools are slow with schemas that refer to one another.
  const toRecord = (to: string): JsonSchema => {
    const target = componentOf(to)
    return target === undefined ? { type: 'object' } : refTo(target)
  }
  const example = toExample(parts, schema)
  const inputExample = example && pickFields(example, input, ownValue(renamed, idField) ?? idField)
  const subject = kind === 'collection' ? `A record of \`${name}\`` : `The singleton \`${name}\``
  const all: Record<string, JsonSchema> = {
    ...components,
    [one]: described(`${subject}.`, record, example),
    [`${one}WithRelations`]: described(
      `${subject}, with the records that a request embeds.`,
      withRelations(record, relations, toRecord),
    ),
    [`${one}Part`]: described(
      `${subject}, of which fields can be missing.`,
      withRelations(toPart(record) as SchemaObject, relations, () => ({ type: 'object' })),
    ),
    [`${one}Input`]: described(`The body of a POST or a PUT to \`${name}\`.`, input, inputExample),
    [`${one}Patch`]: described(`The fields that a PATCH of \`${name}\` replaces.`, toPatch(input)),
    [`${one}MergePatch`]: described(
      `A merge patch (RFC 7396) of \`${name}\`: null removes a field.`,
      toMergePatch(input, stored),
    ),
    ...(form && {
      [`${one}Form`]: described(`A form that is sent to \`${name}\`.`, form),
      [`${one}FormPatch`]: described(
        `A form that is sent in a PATCH of \`${name}\`.`,
        toPatch(form),
      ),
    }),
  }
  const resource: DescribedResource = {
    name,
    kind: kind === 'collection' ? 'collection' : 'singleton',
    singular: names.singular,
    idField: ownValue(renamed, idField) ?? idField,
    record: refTo(one),
    embedded: refTo(relations.length > 0 ? `${one}WithRelations` : one),
    part: refTo(`${one}Part`),
    input: refTo(`${one}Input`),
    patch: refTo(`${one}Patch`),
    mergePatch: refTo(`${one}MergePatch`),
    form: form && refTo(`${one}Form`),
    formPatch: form && refTo(`${one}FormPatch`),
    fields: {
      ...propertiesOf(visible),
      ...Object.fromEntries(parts.filters.map((filter) => [filter, { type: 'string' }])),
    },
    relations,
  }
  return { resource, components: all }
}

function toRecordInput(
  { shape, relations, renamed }: ResourceParts,
  schema: SchemaObject,
  stored: SchemaObject,
): SchemaObject {
  const { kind, idField = '', filled } = shape
  const rename = (field: string): string => ownValue(renamed, field) ?? field
  const givenId = ownValue(propertiesOf(schema), idField)
  const writable =
    givenId === undefined ? stored : withProperty(stored, rename(idField), toInputId(givenId))
  return toInput(writable, {
    optional: [...(kind === 'collection' ? [idField] : []), ...filled].map(rename),
    forbidden: relations.map((relation) => relation.name),
  })
}

function withRelations(
  schema: SchemaObject,
  relations: readonly EmbeddedRelation[],
  toTarget: (to: string) => JsonSchema,
): SchemaObject {
  return relations.reduce<SchemaObject>((extended, { name, to, isMany }) => {
    const target = toTarget(to)
    const value: SchemaObject = isMany
      ? { type: 'array', items: target }
      : { anyOf: [target, { type: 'null' }] }
    const given = ownValue(propertiesOf(extended), name)
    const description = 'Present when a request embeds the relation.'
    const property = given === undefined ? { description, ...value } : { anyOf: [given, value] }
    return withProperty(extended, name, property)
  }, schema)
}

function described(description: string, schema: SchemaObject, example?: JsonRecord): SchemaObject {
  const { description: _description, examples: _examples, ...others } = schema
  return { description, ...others, ...(example && { examples: [example] }) }
}

function opened(schema: SchemaObject, hasRelations: boolean): SchemaObject {
  if (!hasRelations) return schema
  const closing = ['additionalProperties', 'unevaluatedProperties']
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) => value !== false || !closing.includes(keyword),
    ),
  )
}

/** Whether a value has, at any depth, a key `$ref`, which tools would follow as a reference. */
function hasReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasReference)
  return (
    isRecord(value) && (Object.hasOwn(value, '$ref') || Object.values(value).some(hasReference))
  )
}

function toExample(
  { example, renamed }: ResourceParts,
  schema: SchemaObject,
): JsonRecord | undefined {
  if (example === undefined || hasReference(example)) return undefined
  const properties = propertiesOf(schema)
  const entries = Object.entries(example)
    .filter(([name]) => !isMarked(ownValue(properties, name) ?? {}, 'writeOnly'))
    .map(([name, value]) => [ownValue(renamed, name) ?? name, value] as const)
  return Object.fromEntries(entries)
}

/** Returns the fields of a record that an input has; undefined if a required field is missing. */
function pickFields(
  record: JsonRecord,
  input: SchemaObject,
  idField: string,
): JsonRecord | undefined {
  const entries = Object.entries(record).filter(
    ([name]) => name !== idField && Object.hasOwn(propertiesOf(input), name),
  )
  const picked = Object.fromEntries(entries)
  return requiredOf(input).every((name) => Object.hasOwn(picked, name)) ? picked : undefined
}

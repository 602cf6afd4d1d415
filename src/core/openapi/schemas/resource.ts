import type { DescribedResource } from '../../dialects/contract/description.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import { propertiesOf, requiredOf, withProperty } from '../../shape/declared/apply-schema.ts'
import { referencedNames, type Shape } from '../../shape/shapes.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { ResourceNames } from '../names.ts'
import { isMarked, mapProperties, renameProperties, typesOf, withRequired } from './properties.ts'
import { hoist, refTo } from './references.ts'
import type { EmbeddedRelation } from './relations.ts'
import { isOfFields, type OwnWrites, toInputId, toStored } from './stored.ts'
import { admit } from './admit.ts'

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
  const upload = toUpload(input)
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
    ...toForms(`${one}Form`, 'A form that is sent', name, form),
    ...toForms(`${one}Upload`, 'A form with files that is sent', name, upload),
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
    upload: upload && refTo(`${one}Upload`),
    uploadPatch: upload && refTo(`${one}UploadPatch`),
    fields: {
      ...propertiesOf(visible),
      ...Object.fromEntries(parts.filters.map((filter) => [filter, { type: 'string' }])),
    },
    relations,
  }
  return { resource, components: all }
}

function toForms(
  component: string,
  subject: string,
  name: string,
  form: SchemaObject | undefined,
): Record<string, JsonSchema> {
  if (!form) return {}
  return {
    [component]: described(`${subject} to \`${name}\`.`, form),
    [`${component}Patch`]: described(`${subject} in a PATCH of \`${name}\`.`, toPatch(form)),
  }
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

// Variants of the schema of a record for bodies: with fields left out, for input, for a patch and for a form.

/** Keywords that stay true when fields of an object are left out, at any depth. */
const lasting = new Set(
  'title description type enum const format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf readOnly writeOnly deprecated default'.split(
    ' ',
  ),
)

/** Returns the schema with all fields optional, as for `_fields`, without claims on them. */
function toPart(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return schema
  const part: Record<string, unknown> = {}
  const isContainer = ['object', 'array'].some((one) => typesOf(schema)?.includes(one) ?? true)
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') part[keyword] = propertiesOf(mapProperties(schema, toPart))
    else if (keyword === 'additionalProperties' || keyword === 'items')
      part[keyword] = toPart(value as JsonSchema)
    else if (keyword === 'anyOf' || keyword === 'oneOf')
      part['anyOf'] = (value as JsonSchema[]).map(toPart)
    else if (lasting.has(keyword) && !(isContainer && ['enum', 'const'].includes(keyword))) {
      part[keyword] = value
    }
  }
  return part
}

interface InputRules {
  /** The fields that the mock sets if a request lacks them. */
  optional: readonly string[]
  /** The names that no field may have, because relations have them. */
  forbidden: readonly string[]
}

/** Creates the schema of the body of a POST or a PUT: a record without the fields that only the mock sets. */
function toInput(schema: SchemaObject, { optional, forbidden }: InputRules): SchemaObject {
  const writable = mapProperties(schema, (property) =>
    isMarked(property, 'readOnly') ? undefined : property,
  )
  const input = withRequired(writable, (name) => !optional.includes(name))
  const names = forbidden.filter((name) => !Object.hasOwn(propertiesOf(schema), name))
  return names.length > 0 ? { ...input, propertyNames: { not: { enum: names } } } : input
}

/** Creates the schema of the body of a PATCH: some fields of the input. */
function toPatch(input: SchemaObject): SchemaObject {
  return withRequired(input, () => false)
}

/** Creates the schema of a merge patch (RFC 7396), in which null removes an optional field. */
function toMergePatch(input: SchemaObject, record: SchemaObject): SchemaObject {
  const required = requiredOf(record)
  return mapProperties(toPatch(input), (property, name) =>
    required.includes(name)
      ? withoutNull(property)
      : admit(withoutNull(property), { type: 'null' }),
  )
}

function withoutNull(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return schema
  const { type, anyOf, enum: values } = schema
  const inner = mapProperties(schema, withoutNull)
  const kept: SchemaObject = schema['properties'] === undefined ? schema : inner
  if (Array.isArray(type)) {
    const types = (type as string[]).filter((one) => one !== 'null')
    return {
      ...kept,
      type: types.length === 1 ? types[0] : types,
      ...(Array.isArray(values) && { enum: (values as unknown[]).filter((one) => one !== null) }),
    }
  }
  if (Array.isArray(anyOf)) {
    const others = (anyOf as JsonSchema[]).filter((one) => !isNull(one)).map(withoutNull)
    const [only] = others
    const { anyOf: _, ...rest } = kept
    return others.length === 1 && isRecord(only) ? { ...rest, ...only } : { ...rest, anyOf: others }
  }
  return typesOf(schema) === undefined ? { ...kept, not: { type: 'null' } } : kept
}

function isNull(schema: JsonSchema): boolean {
  return isRecord(schema) && schema['type'] === 'null'
}

/** Creates the schema of a form of texts; undefined if a required field cannot be text. */
function toForm(input: SchemaObject): SchemaObject | undefined {
  const properties = Object.entries(propertiesOf(input))
  const others = properties.filter(([, schema]) => !isText(schema)).map(([name]) => name)
  if (properties.length === others.length) return undefined
  if (requiredOf(input).some((name) => others.includes(name))) return undefined
  const { propertyNames: _, ...form } = mapProperties(input, (schema) =>
    isText(schema) ? toText(schema) : undefined,
  )
  const forbidden = [...others, ...forbiddenIn(input)]
  return {
    ...form,
    minProperties: 1,
    ...(forbidden.length > 0 && { propertyNames: { not: { enum: forbidden } } }),
  }
}

/** Creates the schema of a multipart form of texts and files; undefined without a field of files. */
function toUpload(input: SchemaObject): SchemaObject | undefined {
  const acceptedBy = (schema: JsonSchema): unknown => isRecord(schema) && schema['x-file']
  if (!Object.values(propertiesOf(input)).some(acceptedBy)) return undefined
  const { propertyNames: _, ...form } = mapProperties(input, (schema) => {
    const accepted = acceptedBy(schema)
    if (typeof accepted !== 'string') return isText(schema) ? toText(schema) : undefined
    const isOneType = /^[^*,.]+\/[^*,]+$/.test(accepted)
    const contentMediaType = isOneType ? accepted : 'application/octet-stream'
    // OpenAPI 3.1 has `contentMediaType`; makers of clients also look for `format`.
    const file = { type: 'string', format: 'binary', contentMediaType } as const
    return typesOf(schema)?.includes('array') ? { type: 'array', items: file } : file
  })
  return { ...form, minProperties: 1 }
}

function isText(schema: JsonSchema): boolean {
  return typesOf(schema)?.includes('string') ?? false
}

function forbiddenIn({ propertyNames }: SchemaObject): readonly unknown[] {
  const not = isRecord(propertyNames) ? propertyNames['not'] : undefined
  return isRecord(not) && Array.isArray(not['enum']) ? not['enum'] : []
}

function toText(schema: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return schema
  const { anyOf, enum: values, default: _, ...others } = schema
  const options = Array.isArray(anyOf) ? (anyOf as JsonSchema[]) : []
  const text = options.find((one) => typesOf(one)?.includes('string'))
  return {
    ...others,
    ...(isRecord(text) && text),
    type: 'string',
    ...(Array.isArray(values) && {
      enum: (values as unknown[]).filter((one) => typeof one === 'string'),
    }),
  }
}
